#if canImport(Darwin)
import Darwin
import Foundation

extension StorageLocation {
  static func system(appID: String, product: String?) -> StorageLocation {
    let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
    guard let support = folders.first else { return temporary(appID: appID, product: product) }
    return inApplicationSupport(support.path, appID: appID, product: product)
  }
}
#endif
