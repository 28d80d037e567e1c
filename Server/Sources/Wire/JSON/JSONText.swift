import EventRecord

/// Builds the JSON of an answer.
package struct JSONText {
  private(set) var bytes: [UInt8] = []

  /// Adds text as it is.
  mutating func append(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  /// Adds a number's digits, with zeros before them up to a count that it has at most.
  mutating func append(decimal number: UInt64, digits count: Int) {
    var rest = number
    let end = bytes.count + count
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: count))
    bytes.withUnsafeMutableBufferPointer { bytes in
      for place in 1...count {
        bytes[end - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
    }
  }

  /// Makes room for so many bytes more.
  mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Adds a literal as it is.
  mutating func append(literal text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }

  /// Adds bytes as they are.
  mutating func append(_ raw: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: raw)
  }

  /// Adds bytes as they are.
  mutating func append(bytes raw: [UInt8]) {
    bytes.append(contentsOf: raw)
  }

  /// The text that a checked JSON string stands for, given with its quotes.
  static func unquoted(_ json: [UInt8]) -> String {
    json.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      do {
        let string = try scanner.string()
        var sink = ByteSink(capacity: string.count)
        string.appendText(to: &sink)
        return String(decoding: sink.bytes, as: UTF8.self)
      } catch {
        // It was checked; what is none stands for itself.
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// Adds text as a JSON string.
  mutating func append(quoting text: String) {
    JSONQuoting.append(text, to: &bytes)
  }
}
