import Foundation

/// The folder in which a client keeps what it has not sent yet.
package struct StorageLocation: Sendable, Equatable {
  /// The absolute path, without a slash at its end.
  ///
  /// The folder may not exist yet.
  package let path: String
  /// Whether the folder outlives a restart of the machine; the fallback for want of a home does not.
  package let isDurable: Bool

  /// Names a folder chosen by the app.
  package init(path: String, isDurable: Bool = true) {
    self.path = path
    self.isDurable = isDurable
  }

  /// The usual folder for this process.
  ///
  /// Linux: `$XDG_STATE_HOME/<app>/Footfall`, or `~/.local/state/<app>/Footfall`. Apple platforms:
  /// `Footfall/<app>` in Application Support, or in Caches on tvOS. Without a home folder a temporary
  /// one is named, and `isDurable` is false. `<app>` is the bundle identifier, or else the
  /// executable's name.
  package static func standard(appID: String = StorageLocation.appID) -> StorageLocation {
    system(appID: folderName(appID), product: nil)
  }

  /// The folder of a client that keeps to another product's place: `<app>/<product>`, below the same
  /// folders of the system as `standard(appID:)`.
  package static func standard(
    product: String,
    appID: String = StorageLocation.appID
  ) -> StorageLocation {
    system(appID: folderName(appID), product: product)
  }

  /// The folder of one client in here: one per instance and key, so that unsent events never go to
  /// another project.
  package func folder(ofInstance instance: String, key: String) -> String {
    "\(path)/\(Self.partName(instance))-\(Self.fingerprint(key))"
  }

  /// A name as a part of a path: at most 64 characters, those replaced that could lead elsewhere.
  package static func partName(_ name: String) -> String {
    String(name.prefix(64).map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "_" })
  }

  /// Eight hexadecimal digits that tell keys apart (FNV-1a); the key itself stays out of paths and of
  /// the log.
  package static func fingerprint(_ key: String) -> String {
    let hash = key.utf8.reduce(0x811c_9dc5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
  }

  /// The bundle identifier, or the executable's name where there is no bundle.
  package static let appID: String = {
    if let identifier = AppBundle.identifier { return identifier }
    let name = AppBundle.executableName
    return name.isEmpty ? "unknown" : name
  }()

  /// A library of an app's container on Apple's systems.
  enum Library: Sendable, Equatable {
    /// Kept until the app is deleted; the Files app does not show it.
    case applicationSupport
    /// Kept until the system needs the room.
    case caches
  }

  /// The folder on one of Apple's platforms, which tells where its libraries are.
  ///
  /// In Application Support; on tvOS, which lets an app keep no file there, in Caches; a temporary
  /// folder if neither is there. `product` is nil for Footfall's own.
  static func onApple(
    platform: String,
    appID: String,
    product: String?,
    _ path: (Library) -> String?
  ) -> StorageLocation {
    guard let library = path(platform == "tvOS" ? .caches : .applicationSupport) else {
      return temporary(appID: appID, product: product)
    }
    let folder = product.map { "\(appID)/\($0)" } ?? "Footfall/\(appID)"
    return StorageLocation(path: (library as NSString).appendingPathComponent(folder))
  }

  /// The app's name as one path component: what could leave the folder is replaced.
  static func folderName(_ appID: String) -> String {
    let safe = String(
      appID.prefix(128).map { character in
        character.isLetter || character.isNumber || "._- ".contains(character) ? character : "_"
      }
    )
    return safe.isEmpty || safe.allSatisfy { $0 == "." } ? "unknown" : safe
  }

  /// The fallback: a folder of this user's in the system's temporary one.
  static func temporary(appID: String, product: String?) -> StorageLocation {
    let folder = NSTemporaryDirectory() as NSString
    return StorageLocation(
      path: folder.appendingPathComponent("\(product ?? "Footfall")-\(getuid())/\(appID)"),
      isDurable: false
    )
  }
}
