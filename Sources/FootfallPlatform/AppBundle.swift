import Foundation

/// What the app's bundle says of the app.
package enum AppBundle {
  /// The app's name for itself, as in `com.example.player`; nil where it has none, as is usual on Linux.
  ///
  /// Any thread; read once per process.
  package static let identifier: String? = {
    guard let identifier = main?.bundleIdentifier, !identifier.isEmpty else { return nil }
    return identifier
  }()

  /// A text of `Info.plist`; nil where there is none, or an empty one.
  static func text(_ key: String) -> String? {
    guard let text = main?.object(forInfoDictionaryKey: key) as? String, !text.isEmpty else {
      return nil
    }
    return text
  }

  /// The name of the file that is run; empty where nobody knows.
  static var executableName: String {
    let path = executablePath ?? CommandLine.arguments.first ?? ""
    return (path as NSString).lastPathComponent
  }

  #if !os(Linux)
  private static var main: Bundle? { .main }
  private static var executablePath: String? { Bundle.main.executablePath }
  #endif
}
