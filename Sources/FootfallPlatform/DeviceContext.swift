import Foundation

/// What is said about the app and the device with every batch.
///
/// Nothing here identifies a person or a single device. A missing value is left out on the wire.
package struct DeviceContext: Sendable, Hashable {
  /// This library with its version, as in `footfall-swift/1.0.0`.
  package var library: String
  /// The family of operating system: `iOS`, `iPadOS`, `macOS`, `tvOS`, `watchOS`, `visionOS`, `Linux`.
  package var platform: String
  /// The operating system with its version, as in `iOS 19.1` or `Debian GNU/Linux 12`.
  package var os: String?
  /// The maker's name of the model, as in `iPhone17,2`; the processor's on Linux.
  package var model: String?
  /// The app's version, as in `4.2.0`.
  ///
  /// A Linux process has none unless it is configured.
  package var app: String?
  /// The app's build, as in `881`.
  package var build: String?
  /// The user's locale, as in `en_GB`.
  package var locale: String?

  /// Makes a context of given values.
  package init(
    library: String = DeviceContext.libraryVersion,
    platform: String,
    os: String? = nil,
    model: String? = nil,
    app: String? = nil,
    build: String? = nil,
    locale: String? = nil
  ) {
    self.library = library
    self.platform = platform
    self.os = os
    self.model = model
    self.app = app
    self.build = build
    self.locale = locale
  }

  /// This library's name and version as told to the server.
  package static let libraryVersion = "footfall-swift/0.1.0"

  /// This app on this device, read once per process.
  package static let current = DeviceContext(
    platform: systemPlatform,
    os: systemVersion,
    model: systemModel,
    app: bundleText("CFBundleShortVersionString"),
    build: bundleText("CFBundleVersion"),
    locale: Locale.current.identifier
  )

  private static func bundleText(_ key: String) -> String? {
    guard let text = Bundle.main.object(forInfoDictionaryKey: key) as? String, !text.isEmpty else {
      return nil
    }
    return text
  }
}
