internal import EventRecord
internal import FootfallSystem
internal import Wire

/// Slows down the devices and users of Amplitude's clients that send too fast.
final class AmplitudeThrottle: Sendable {
  private let rates = Lock(SendingRates())
  private let updates = Lock(RequestRates(lengthMs: 3_600_000))

  /// The answer for a request of which some devices or users send too fast; nil for any other.
  ///
  /// Counts the request's events when it is not refused.
  func refusal(
    of acceptance: WireAcceptance,
    limits: SendingRates.Limits,
    nowMs: Int64
  ) -> WireAnswer? {
    guard limits.perSecond > 0 || limits.perDay > 0 else { return nil }
    let runs = Run.all(in: acceptance)
    var counts: [SendingRates.ID: Int] = [:]
    for run in runs {
      for id in run.ids { counts[id, default: 0] += run.places.count }
    }
    let excess = rates.withLock { [counts] in $0.admit(counts, limits: limits, nowMs: nowMs) }
    guard !excess.isEmpty else { return nil }
    var throttled = AmplitudeThrottled(limit: limits.perSecond)
    for (id, excess) in excess {
      throttled.add(id.text, isUser: id.isUser, perSecond: excess.perSecond, perDay: excess.perDay)
    }
    throttled.events = runs.filter { $0.ids.contains { excess[$0] != nil } }.flatMap(\.places)
    return throttled.answer
  }

  /// Whether somebody's properties are updated too often within an hour.
  ///
  /// Counts the request's updates when they are not.
  func hasTooManyUpdates(_ acceptance: WireAcceptance, limit: Int, nowMs: Int64) -> Bool {
    guard limit > 0 else { return false }
    let people = Run.all(in: acceptance).flatMap { run -> [String] in
      let id = run.user.isEmpty ? "device " + run.device : "user " + run.user
      return Array(repeating: "\(run.project) \(id)", count: run.places.count)
    }
    return updates.withLock { $0.admit(people, limit: limit, nowMs: nowMs) } != nil
  }
}

/// Events of one device and user that follow each other; nearly every request is a single run.
private struct Run {
  let project: UInt32
  let device: String
  let user: String
  /// Where the events stood in the request.
  var places: [Int] = []

  private init(_ event: EventView, project: UInt32) {
    self.project = project
    device = String(decoding: event.deviceID, as: UTF8.self)
    user = String(decoding: event.userID, as: UTF8.self)
  }

  /// The ids that the events count for.
  var ids: [SendingRates.ID] {
    [(false, device), (true, user)].filter { !$0.1.isEmpty }
      .map { SendingRates.ID(project: project, isUser: $0.0, text: $0.1) }
  }

  /// All runs of a request, in order.
  static func all(in acceptance: WireAcceptance) -> [Run] {
    var runs: [Run] = []
    var repeats = acceptance.repeats[...]
    var place = 0
    var last: EventView?
    acceptance.record.withUnsafeBytes { bytes in
      do throws(RecordError) {
        var reader = try RecordReader(bytes)
        while let event = try reader.next() {
          while repeats.first == place {
            repeats.removeFirst()
            place += 1
          }
          let isSame =
            last.map {
              $0.deviceID.hasBytes(of: event.deviceID) && $0.userID.hasBytes(of: event.userID)
            }
          if isSame != true { runs.append(Run(event, project: reader.header.project)) }
          last = event
          runs[runs.count - 1].places.append(place)
          place += 1
        }
      } catch {
        // The decoder wrote the record a moment ago; a record without events is empty and has no runs.
        return
      }
    }
    return runs
  }
}
