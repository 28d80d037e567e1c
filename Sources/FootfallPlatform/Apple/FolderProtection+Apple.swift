#if canImport(Darwin)
import Foundation

/// What keeps a folder's content where it belongs.
enum FolderProtection {
  /// Keeps the folder, which must exist, out of backups, and its files readable from the first unlock
  /// after a restart on, also while the device is locked.
  ///
  /// A restored copy on another device would have two clients with one identity. Where a step fails
  /// the log says so; events are kept all the same, and event ids still count once.
  static func apply(to folder: String, log: Logger) {
    excludeFromBackup(folder, log)
    #if !os(macOS)
    unlock(folder, log)
    #endif
  }

  private static func excludeFromBackup(_ path: String, _ log: Logger) {
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    var folder = URL(fileURLWithPath: path, isDirectory: true)
    do {
      try folder.setResourceValues(values)
    } catch {
      log.notice("The event folder could not be excluded from backup: \(error)")
    }
  }

  #if !os(macOS)
  /// New files take the class of the folder they are made in; what is there already, in whatever
  /// folder of it, is given the class once.
  private static func unlock(_ folder: String, _ log: Logger) {
    let files = FileManager.default
    let wanted = FileProtectionType.completeUntilFirstUserAuthentication
    do {
      let present = try files.attributesOfItem(atPath: folder)[.protectionKey]
      guard (present as? FileProtectionType)?.rawValue != wanted.rawValue else { return }
      try files.setAttributes([.protectionKey: wanted], ofItemAtPath: folder)
      for name in try files.subpathsOfDirectory(atPath: folder) {
        try files.setAttributes([.protectionKey: wanted], ofItemAtPath: "\(folder)/\(name)")
      }
    } catch {
      log.notice("The event folder may be locked with the device: \(error)")
    }
  }
  #endif
}
#endif
