package import FootfallEngine
import FootfallPlatform
#if canImport(Darwin)
import FootfallCore
import Foundation
#endif

/// Everything the vendor's clients may have left on this device.
package enum AmplitudeEarlier {
  /// What they left of a key and instance; nothing on systems they never ran on.
  package static func formats(key: String, instance: String = "") -> [any EarlierFormat] {
    #if canImport(Darwin)
    var formats: [any EarlierFormat] = [
      AmplitudeEarlierFiles(
        key: key,
        instance: instance,
        folders: folders,
        isSandboxed: isSandboxed,
        values: { values(ofSuite: $0) }
      )
    ]
    // Beyond a sandbox the folder is everybody's, and the database may be another app's.
    if isSandboxed, let library = path(of: legacyDirectory) {
      formats.append(AmplitudeLegacyDatabase(folder: library, instance: instance))
    }
    return formats
    #else
    return []
    #endif
  }
}

#if canImport(Darwin)
extension AmplitudeEarlier {
  private static var folders: [String] {
    let directories: [FileManager.SearchPathDirectory] = [
      .applicationSupportDirectory, .documentDirectory, .cachesDirectory,
    ]
    return directories.compactMap { path(of: $0) }.flatMap { path in
      [path + "/amplitude", path + "/amplitude/" + (Bundle.main.bundleIdentifier ?? "")]
    }
  }

  private static var legacyDirectory: FileManager.SearchPathDirectory {
    #if os(tvOS)
    .cachesDirectory
    #else
    .libraryDirectory
    #endif
  }

  private static var isSandboxed: Bool {
    #if os(macOS)
    ProcessInfo.processInfo.environment["APP_SANDBOX_CONTAINER_ID"] != nil
    #else
    true
    #endif
  }

  private static func path(of directory: FileManager.SearchPathDirectory) -> String? {
    FileManager.default.urls(for: directory, in: .userDomainMask).first?.path
  }

  private static func values(ofSuite suite: String) -> [String: PropertyValue] {
    guard let defaults = UserDefaults(suiteName: suite) else { return [:] }
    var values: [String: PropertyValue] = [:]
    for key in ["device_id", "user_id"] {
      if let text = defaults.string(forKey: key) { values[key] = .string(text) }
    }
    for key in ["previous_session_id", "last_event_time", "last_event_id"] {
      if let number = defaults.object(forKey: key) as? Int64 { values[key] = .integer(number) }
    }
    return values
  }
}
#endif
