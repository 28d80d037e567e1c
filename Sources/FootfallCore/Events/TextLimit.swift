/// What happens to what is over a limit.
package enum Excess: Sendable, Equatable {
  /// It is cut to the limit, or as much of it is kept as fits; counted.
  case cut
  /// The property it belongs to is left out; counted.
  case leaveOut
  /// The whole event is dropped.
  case reject
}

/// How long a text may be, and what happens to a longer one.
package struct TextLimit: Sendable, Equatable {
  /// What is counted.
  package enum Unit: Sendable, Equatable {
    /// Unicode scalars.
    case scalars
    /// Units of UTF-16, as in JavaScript.
    case utf16
    /// Bytes of UTF-8.
    case utf8
  }

  /// The most there may be of the unit.
  package var most: Int
  /// What is counted.
  package var unit: Unit
  /// What happens to a longer text.
  package var excess: Excess

  /// A limit from its parts.
  package init(_ most: Int, _ unit: Unit, _ excess: Excess) {
    self.most = most
    self.unit = unit
    self.excess = excess
  }

  /// No limit.
  package static let none = TextLimit(.max, .utf8, .cut)

  /// Whether a text is within the limit.
  @inline(__always)
  package func allows(_ text: String) -> Bool {
    // A text has at least as many bytes as anything else that is counted.
    text.utf8.count <= most || allowsLong(text)
  }

  private func allowsLong(_ text: String) -> Bool {
    switch unit {
    case .scalars: text.unicodeScalars.count <= most
    case .utf16: text.utf16.count <= most
    case .utf8: false
    }
  }

  /// As much of the start of a text as the limit allows, cut between Unicode scalars.
  package func prefix(of text: String) -> String {
    guard !allows(text) else { return text }
    var kept = String.UnicodeScalarView()
    var size = 0
    for scalar in text.unicodeScalars {
      switch unit {
      case .scalars: size += 1
      case .utf16: size += scalar.utf16.count
      case .utf8: size += scalar.utf8.count
      }
      guard size <= most else { break }
      kept.append(scalar)
    }
    return String(kept)
  }
}
