import FootfallPlatform
import FootfallSystem
import Foundation

/// Keeps a project's key out of the log, where paths have it: an earlier client's folders are named
/// after it.
struct HiddenKey: Sendable {
  private let key: String

  init(_ key: String) {
    self.key = key
  }

  /// What could not be done, to a file or folder that is told by its last name alone; a fingerprint
  /// stands for the key.
  func sentence(_ error: SystemError) -> String {
    let path = key.isEmpty ? error.path : error.path.replacingOccurrences(of: key, with: mark)
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return "\(SystemError(code: error.code, operation: error.operation, path: name))"
  }

  /// What tells keys apart without being one.
  private var mark: String { "<key \(StorageLocation.fingerprint(key))>" }
}
