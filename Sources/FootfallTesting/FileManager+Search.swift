package import Foundation

extension FileManager {
  /// Whether a text is in any file below a folder; false for one that is not there.
  package func holds(_ text: String, below folder: String) throws -> Bool {
    let paths = enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try paths.contains { path in
      var isFolder: ObjCBool = false
      let path = folder + "/" + path
      guard fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
        return false
      }
      return try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data(text.utf8)) != nil
    }
  }
}
