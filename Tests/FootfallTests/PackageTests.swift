import Foundation
import Testing

/// What an app takes on with the package.
@Suite struct `The package` {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private func manifest() throws -> String {
    try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
  }

  /// With no other package there is nothing that resolving or building could fetch.
  @Test func `SDL-96: names no other package`() throws {
    let manifest = try manifest()
    #expect(manifest.contains("let package = Package("))
    let code = manifest.split(separator: "\n").map { line in
      line.drop { $0 == " " }.hasPrefix("//") ? "" : String(line)
    }.joined(separator: "\n")
    for way in [".package(", "Package.Dependency", ".binaryTarget(", ".plugin("] {
      #expect(!code.contains(way), "\(way) brings in something from elsewhere.")
    }
  }
}
