package import FootfallCore
package import FootfallEngine
package import FootfallOutbox
import FootfallPlatform
import FootfallSystem

/// What the vendor's client left of one key and instance: files with events, and small values.
///
/// Source: `amplitude.md` section 2.11, directories, names and migrations.
package struct AmplitudeEarlierFiles: Sendable {
  /// The project's key.
  package var key: String
  /// The instance's name; empty or `$default_instance` for the usual one.
  package var instance: String
  /// Folders named `amplitude`, or by the app in one of these, where files may be.
  package var folders: [String]
  /// Whether the app has these folders for itself: only then files that are named after the instance
  /// alone are its own.
  package var isSandboxed: Bool
  /// The small values of a suite of the user's defaults, by name.
  package var values: @Sendable (_ suite: String) -> [String: PropertyValue]

  /// The files of a key and instance.
  package init(
    key: String,
    instance: String = "",
    folders: [String],
    isSandboxed: Bool = true,
    values: @escaping @Sendable (_ suite: String) -> [String: PropertyValue] = { _ in [:] }
  ) {
    self.key = key
    self.instance = instance.isEmpty ? Self.usualInstance : instance
    self.folders = folders
    self.isSandboxed = isSandboxed
    self.values = values
  }

  private static let usualInstance = "$default_instance"

  /// What names are made of: `storage` for events, `identify` for what was held.
  private enum Kind: String {
    case storage
    case identify
  }

  /// The names of one kind, the newest way of naming first.
  private func prefixes(_ kind: Kind, ofFiles: Bool) -> [String] {
    let first = "amplitude-swift"
    var prefixes = ["\(first)-\(kind.rawValue)-\(key)-\(instance)"]
    prefixes.append(kind == .storage ? "\(first)-\(key)" : "\(first)-identify-\(key)")
    if instance == Self.usualInstance {
      prefixes.append("\(first)-\(kind.rawValue)-default_instance")
    }
    if isSandboxed || !ofFiles { prefixes.append("\(first)-\(kind.rawValue)-\(instance)") }
    return prefixes
  }

  private func folders(_ kind: Kind) -> [String] {
    prefixes(kind, ofFiles: true).flatMap { prefix in
      folders.map { "\($0)/\(prefix).events.index" }
    }
  }
}

extension AmplitudeEarlierFiles: EarlierFormat {
  /// The device and user of the newest naming that has them, and the furthest of the numbers.
  package func state(in world: EarlierWorld) -> ClientState? {
    let suites = prefixes(.storage, ofFiles: false).map { values("com.amplitude.storage.\($0)") }
    return AmplitudeEarlierState(
      deviceID: suites.lazy.compactMap { $0.text("device_id") }.first,
      userID: suites.lazy.compactMap { $0.text("user_id") }.first,
      sessionID: suites.compactMap { $0.number("previous_session_id") }.max(),
      lastEventTime: suites.compactMap { $0.number("last_event_time") }.max(),
      lastEventID: suites.compactMap { $0.number("last_event_id") }.max()
    ).clientState
  }

  package func places(in world: EarlierWorld) -> [any EarlierPlace] {
    let queued = folders(.storage).flatMap { folder in
      names(in: folder, world).map { name in
        place(folder, [name], isHeld: false, world)
      }
    }
    let held = folders(.identify).compactMap { folder in
      let names = names(in: folder, world)
      return names.isEmpty ? nil : place(folder, names, isHeld: true, world)
    }
    return queued + held
  }

  private func place(
    _ folder: String,
    _ names: [String],
    isHeld: Bool,
    _ world: EarlierWorld
  ) -> AmplitudeEventPlace {
    AmplitudeEventPlace(
      folder: folder,
      names: names,
      isHeld: isHeld,
      world: world,
      hiding: HiddenKey(key)
    )
  }

  /// Removes the folders that are empty now; those with files that were moved aside stay.
  package func finish(in world: EarlierWorld) {
    for folder in folders(.storage) + folders(.identify) + folders
    where world.files.exists(folder) {
      do throws(SystemError) {
        if try world.files.list(folder).isEmpty { try world.files.remove(folder) }
      } catch {
        world.log.debug(
          "An empty folder of an earlier client stays: \(HiddenKey(key).sentence(error))"
        )
      }
    }
  }

  /// The files in a folder, in the order of the numbers in their names.
  private func names(in folder: String, _ world: EarlierWorld) -> [String] {
    guard world.files.exists(folder) else { return [] }
    do throws(SystemError) {
      let names = try world.files.list(folder).filter { !$0.hasPrefix(".") }
      return names.sorted { left, right in
        let (first, second) = (Self.numbers(left), Self.numbers(right))
        return first == second ? left < right : first.lexicographicallyPrecedes(second)
      }
    } catch {
      world.log.warning(
        "What an earlier client left cannot be looked at yet: \(HiddenKey(key).sentence(error))"
      )
      return []
    }
  }

  /// The numbers in a name, without that of the version.
  private static func numbers(_ name: String) -> [Int] {
    let counted = name.hasPrefix("v2-") ? name.dropFirst(3) : name[...]
    return counted.split { !$0.isASCII || !$0.isNumber }.map { Int($0) ?? .max }
  }
}

extension [String: PropertyValue] {
  fileprivate func text(_ key: String) -> String? {
    if case .string(let text) = self[key], !text.isEmpty { text } else { nil }
  }

  fileprivate func number(_ key: String) -> Int64? {
    if case .integer(let number) = self[key], number >= 0 { number } else { nil }
  }
}
