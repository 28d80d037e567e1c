#if os(Linux) || os(macOS)
import Foundation

/// Unpacking by the gzip program: another implementation than the one under test.
package enum Gunzip {
  /// The program could not unpack; its status.
  package struct Failure: Error {
    /// The status it ended with.
    package let status: Int32
  }

  /// The bytes that were packed.
  package static func unpack(_ bytes: [UInt8]) throws -> [UInt8] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("footfall-\(UUID().uuidString).gz")
    try Data(bytes).write(to: file)
    let program = Process()
    let output = Pipe()
    program.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    program.arguments = ["gzip", "-dc", file.path]
    program.standardOutput = output
    try program.run()
    let unpacked = try output.fileHandleForReading.readToEnd() ?? Data()
    program.waitUntilExit()
    try FileManager.default.removeItem(at: file)
    guard program.terminationStatus == 0 else {
      throw Failure(status: program.terminationStatus)
    }
    return Array(unpacked)
  }
}
#endif
