#if canImport(Darwin)
import Darwin
import Foundation

extension StorageLocation {
  static func system(appID: String) -> StorageLocation {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    guard let support = folders.first else { return temporary(appID: appID) }
    return StorageLocation(path: support.appendingPathComponent("Footfall/\(appID)").path)
  }

  /// Keeps the folder, which must exist, out of backups.
  ///
  /// A restored copy on another device would have two clients with one identity. Where it does not
  /// work the folder is merely backed up, and event ids still count once.
  package func excludeFromBackup(log: Logger) {
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    var folder = URL(fileURLWithPath: path, isDirectory: true)
    do {
      try folder.setResourceValues(values)
    } catch {
      log.notice("The event folder could not be excluded from backup: \(error)")
    }
  }
}
#endif
