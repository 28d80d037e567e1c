import FootfallSystem
import Foundation

/// What was found to be lost, kept in a text file of the data folder until someone deletes it: once new
/// events are loaded nothing else tells of it.
struct LossNote {
  private let data: DataFolder

  init(_ data: DataFolder) { self.data = data }

  /// The losses noted, a sentence each.
  ///
  /// - Throws: What the disk says.
  func losses() throws -> [String] {
    guard FileManager.default.fileExists(atPath: data.losses) else { return [] }
    return try String(contentsOfFile: data.losses, encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  /// Notes losses that are not there yet.
  ///
  /// - Throws: What the disk says.
  func add(_ losses: [String]) throws {
    let known = try self.losses()
    let new = losses.filter { !known.contains($0) }
    guard !new.isEmpty else { return }
    let text = (known + new).map { $0 + "\n" }.joined()
    try PosixFiles().replace(data.losses, with: Array(text.utf8))
  }

  /// For an operator.
  var finding: Finding {
    do {
      let losses = try losses()
      guard !losses.isEmpty else { return Finding("Losses", "none known") }
      return Finding(
        "Losses",
        "\(losses.joined(separator: " ")) Delete \(data.losses) once that is dealt with.",
        isProblem: true
      )
    } catch {
      return Finding(
        "Losses",
        "\(data.losses) cannot be read: \(error.localizedDescription)",
        isProblem: true
      )
    }
  }
}
