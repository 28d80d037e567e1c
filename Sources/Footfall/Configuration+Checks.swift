import FootfallCore
import FootfallPlatform
import Foundation

extension FootfallClient.Configuration {
  /// The same with only values that can be used; every other one gets a line in the log.
  func checked(_ log: Logger) -> Self {
    let check = ConfigurationCheck(log: log)
    var checked = self
    check.key(key, of: "The key")
    checked.storage = storage.checked(check)
    checked.delivery = delivery.checked(check)
    checked.sessions = sessions.checked(check)
    checked.limits = limits.checked(check)
    checked.identity.deviceID = check.id("identity.deviceID", identity.deviceID)
    checked.identity.userID = check.id("identity.userID", identity.userID)
    checked.destinations = check.destinations(destinations)
    return checked
  }
}

extension FootfallClient.Storage {
  fileprivate func checked(_ check: ConfigurationCheck) -> Self {
    var checked = self
    checked.maxEvents = check.number("storage.maxEvents", maxEvents, in: 1...100_000_000)
    checked.maxBytes = check.number("storage.maxBytes", maxBytes, in: 1...2_000_000_000)
    checked.maxBatches = check.number("storage.maxBatches", maxBatches, in: 1...100_000)
    return checked
  }
}

extension FootfallClient.Delivery {
  fileprivate func checked(_ check: ConfigurationCheck) -> Self {
    let usual = Self()
    var checked = self
    checked.maxBatchEvents = check.number("delivery.maxBatchEvents", maxBatchEvents, in: 1...1_000)
    checked.maxBatchBytes = check.number("delivery.maxBatchBytes", maxBatchBytes, in: 1...900_000)
    checked.intervalSeconds = check.seconds(
      "delivery.intervalSeconds",
      intervalSeconds,
      in: 0...2_592_000,
      usual: usual.intervalSeconds
    )
    checked.timeoutSeconds = check.seconds(
      "delivery.timeoutSeconds",
      timeoutSeconds,
      in: 1...3_600,
      usual: usual.timeoutSeconds
    )
    return checked
  }
}

extension FootfallClient.Sessions {
  /// The longest gap and session: a year, in seconds.
  private static let longest: TimeInterval = 31_536_000

  fileprivate func checked(_ check: ConfigurationCheck) -> Self {
    var checked = self
    checked.timeoutSeconds = check.seconds(
      "sessions.timeoutSeconds",
      timeoutSeconds,
      in: 1...Self.longest,
      usual: Self().timeoutSeconds
    )
    checked.maximumSeconds = maximumSeconds.map { seconds in
      check.seconds(
        "sessions.maximumSeconds",
        seconds,
        in: 1...Self.longest,
        usual: Self.longest
      )
    }
    return checked
  }
}

extension FootfallClient.Limits {
  fileprivate func checked(_ check: ConfigurationCheck) -> Self {
    let usual = Self()
    var checked = self
    checked.nameCharacters = check.number(
      "limits.nameCharacters",
      nameCharacters,
      in: 1...usual.nameCharacters
    )
    checked.properties = check.number("limits.properties", properties, in: 0...usual.properties)
    checked.textBytes = check.number("limits.textBytes", textBytes, in: 1...usual.textBytes)
    checked.eventBytes = check.number("limits.eventBytes", eventBytes, in: 1...usual.eventBytes)
    return checked
  }
}

/// Says what is wrong with values of a configuration, and what is used instead.
struct ConfigurationCheck {
  let log: Logger

  /// A number, or the nearest one that can be used.
  func number(_ name: String, _ value: Int, in range: ClosedRange<Int>) -> Int {
    guard !range.contains(value) else { return value }
    let used = min(max(value, range.lowerBound), range.upperBound)
    tell(name, "\(value)", "\(range.lowerBound) to \(range.upperBound)", "\(used)")
    return used
  }

  /// A time, or the nearest one that can be used; the usual one in the place of what is no number.
  func seconds(
    _ name: String,
    _ value: TimeInterval,
    in range: ClosedRange<TimeInterval>,
    usual: TimeInterval
  ) -> TimeInterval {
    guard !range.contains(value) else { return value }
    let used = value.isNaN ? usual : min(max(value, range.lowerBound), range.upperBound)
    tell(name, "\(value)", "\(range.lowerBound) to \(range.upperBound)", "\(used)")
    return used
  }

  /// An id that can be sent; nil for one that cannot.
  func id(_ name: String, _ id: String?) -> String? {
    guard let id, let problem = IdentifierProblem(id) else { return id }
    log.error("The configuration's \(name) \(problem); it is not used.")
    return nil
  }

  /// Says what is wrong with a key, which is sent as it is.
  func key(_ key: String, of owner: String) {
    if key.isEmpty {
      log.error("\(owner) is empty; the server will refuse every event.")
    } else if key.hasPrefix("ff_sec_") {
      log.warning("\(owner) is a secret key; an app should carry an ingest key only.")
    }
  }

  /// The destinations whose names can be told apart.
  func destinations(_ all: [FootfallClient.Destination]) -> [FootfallClient.Destination] {
    var folders: Set<String> = []
    return all.filter { destination in
      let folder = destination.folderName
      if destination.name.isEmpty || folder == FootfallClient.Destination.mainName {
        log.error(
          "A destination has the name “\(destination.name)”, which is not possible: left out."
        )
        return false
      }
      guard folders.insert(folder).inserted else {
        log.error("Two destinations are named \(folder): the second is left out.")
        return false
      }
      key(destination.key, of: "The key of the destination \(folder)")
      return true
    }
  }

  private func tell(_ name: String, _ value: String, _ range: String, _ used: String) {
    log.warning("The configuration's \(name) is \(value); \(range) is possible, so it is \(used).")
  }
}
