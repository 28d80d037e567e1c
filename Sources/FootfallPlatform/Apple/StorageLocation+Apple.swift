#if canImport(Darwin)
import Darwin
import Foundation

extension StorageLocation {
  static func system(appID: String, product: String?) -> StorageLocation {
    onApple(platform: DeviceContext.systemPlatform, appID: appID, product: product) { library in
      let directory: FileManager.SearchPathDirectory =
        switch library {
        case .applicationSupport: .applicationSupportDirectory
        case .caches: .cachesDirectory
        }
      return FileManager.default.urls(for: directory, in: .userDomainMask).first?.path
    }
  }
}
#endif
