#if os(Linux)
import Foundation

extension StorageLocation {
  static func system(appID: String, product: String?) -> StorageLocation {
    let environment = ProcessInfo.processInfo.environment
    return location(
      appID: appID,
      product: product,
      stateHome: environment["XDG_STATE_HOME"],
      home: environment["HOME"] ?? NSHomeDirectory()
    )
  }

  /// The rule of the XDG base directory specification: a relative path counts as unset.
  static func location(
    appID: String,
    product: String? = nil,
    stateHome: String?,
    home: String?
  ) -> StorageLocation {
    let folder = "\(appID)/\(product ?? "Footfall")"
    if let stateHome, stateHome.hasPrefix("/") {
      return StorageLocation(path: joined(stateHome, folder))
    }
    // Accounts of services often have "/" or "/nonexistent" as their home.
    guard let home, home.hasPrefix("/"), home != "/", home != "/nonexistent" else {
      return temporary(appID: appID, product: product)
    }
    return StorageLocation(path: joined(home, ".local/state/\(folder)"))
  }

  private static func joined(_ folder: String, _ rest: String) -> String {
    (folder as NSString).appendingPathComponent(rest)
  }
}
#endif
