import Foundation

/// What a project's name is told apart by from others': without the case of its letters and the space around it.
public struct ProjectName: Sendable, Hashable {
  private let text: String

  /// Of a name as it is written.
  public init(_ name: String) {
    text = name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
  }
}
