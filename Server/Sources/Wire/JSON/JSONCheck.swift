/// Checks whole texts, for tools and benchmarks.
package enum JSONCheck {
  /// True when `text` is one JSON value in UTF-8 of at most 128 levels.
  package static func isValid(_ text: UnsafeRawBufferPointer) -> Bool {
    var scanner = JSONScanner(text)
    do {
      try scanner.skipValue()
      return scanner.isAtEnd()
    } catch {
      return false
    }
  }
}
