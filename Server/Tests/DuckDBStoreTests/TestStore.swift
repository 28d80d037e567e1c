import DuckDBStore
import EventStore
import Foundation

/// A folder that is gone when the test is over.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/footfall-store-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      print("The folder \(path) could not be removed: \(error)")
    }
  }
}

/// DuckDB's library, which `script/bootstrap` puts into `share/footfall`.
enum TestLibrary {
  struct Missing: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path) is missing; run script/bootstrap first." }
  }

  static func path() throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["FOOTFALL_SHARE"]
      ?? #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/share/footfall"
    let path = folder + "/libduckdb.so"
    guard FileManager.default.fileExists(atPath: path) else { throw Missing(path: path) }
    return path
  }

  static func open(
    _ folder: TemporaryFolder,
    options: DuckDBOptions = DuckDBOptions()
  ) throws -> DuckDBEventStore {
    try DuckDBEventStore(
      path: folder.path + "/events.duckdb",
      library: path(),
      options: options
    )
  }
}
