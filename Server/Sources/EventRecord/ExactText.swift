/// A text that is the same as another only if its bytes are, as the store has it.
///
/// A `String` is also equal to one of other bytes that reads the same, such as an é of one code point and one
/// of two.
package struct ExactText: Hashable, Sendable {
  /// The text.
  package let text: String

  /// A text, told apart by its bytes.
  package init(_ text: String) {
    self.text = text
  }

  /// Whether the bytes are the same.
  package static func == (a: Self, b: Self) -> Bool { a.text.hasBytes(of: b.text) }

  /// Mixes in the bytes.
  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // Of several texts in a row each ends somewhere.
    hasher.combine(0xff as UInt8)
  }
}

extension String {
  /// Whether the bytes are the same as those of another text.
  package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
