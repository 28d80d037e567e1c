#if canImport(Darwin)
import Darwin
import Foundation

extension StorageLocation {
  static func system(appID: String) -> StorageLocation {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    guard let support = folders.first else { return temporary(appID: appID) }
    return StorageLocation(path: support.appendingPathComponent("Footfall/\(appID)").path)
  }
}
#endif
