import Foundation

/// A folder for files of a benchmark, on the disk of the current folder.
///
/// Not in the temporary folder, which may be memory and would make every comparison idle.
struct BenchFolder {
  let path: String

  init(_ name: String) throws {
    path =
      FileManager.default.currentDirectoryPath + "/.footfall/bench/\(name)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      print("The folder \(path) could not be removed.")
    }
  }
}

extension [Double] {
  /// The middle value; 0 of none.
  var median: Double {
    isEmpty ? 0 : sorted()[count / 2]
  }
}
