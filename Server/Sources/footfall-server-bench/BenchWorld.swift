import Foundation

/// A folder for one benchmark, removed at the end.
final class BenchFolder {
  let path: String

  init(_ name: String) throws {
    path =
      FileManager.default.temporaryDirectory.path + "/footfall-bench-\(name)-\(getpid())"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Removes the folder and what lies in it.
  func remove() throws {
    try FileManager.default.removeItem(atPath: path)
  }

  /// The size of a file in it, in bytes.
  func size(of name: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return attributes[.size] as? Int ?? 0
  }
}

/// DuckDB's library, which `script/bootstrap` puts into `share/footfall`.
enum BenchLibrary {
  static func path() throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["FOOTFALL_SHARE"]
      ?? #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/share/footfall"
    let path = folder + "/libduckdb.so"
    guard FileManager.default.fileExists(atPath: path) else {
      throw BenchFailure(description: "\(path) is missing; run script/bootstrap first.")
    }
    return path
  }
}

/// The CPU time of this process, all threads together.
enum BenchClock {
  static func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
