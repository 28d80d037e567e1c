/// Reads the id and the name out of an event as `EventEncoder` wrote it.
///
/// Looks only as far as it has to, since it may be asked about every event that is delivered.
package enum StoredEventHead {
  /// The id and the name; nil if these are not an event's bytes.
  package static func read(_ event: ArraySlice<UInt8>) -> (id: String, name: String)? {
    event.withUnsafeBufferPointer { bytes in
      var scanner = Scanner(bytes: bytes)
      return scanner.head()
    }
  }

  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    mutating func head() -> (id: String, name: String)? {
      var (id, name): (String?, String?)
      guard take(UInt8(ascii: "{")) else { return nil }
      while let key = string(), take(UInt8(ascii: ":")) {
        switch bytes.indices.contains(position) ? bytes[position] : 0 {
        case UInt8(ascii: "\""):
          guard let value = string() else { return nil }
          if key == "id" { id = value }
          if key == "name" { name = value }
        case UInt8(ascii: "{"), UInt8(ascii: "["): return nil
        default: skipScalar()
        }
        if let id, let name { return (id, name) }
        guard take(UInt8(ascii: ",")) else { return nil }
      }
      return nil
    }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }

    private mutating func skipScalar() {
      while position < bytes.count, bytes[position] != UInt8(ascii: ","),
        bytes[position] != UInt8(ascii: "}")
      {
        position += 1
      }
    }

    private mutating func string() -> String? {
      guard take(UInt8(ascii: "\"")) else { return nil }
      let start = position
      while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
        bytes[position] != UInt8(ascii: "\\")
      {
        position += 1
      }
      var text = Array(bytes[start..<position])
      while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
        if take(UInt8(ascii: "\\")) {
          guard let byte = escaped() else { return nil }
          text.append(byte)
        } else {
          text.append(bytes[position])
          position += 1
        }
      }
      guard take(UInt8(ascii: "\"")) else { return nil }
      return String(decoding: text, as: UTF8.self)
    }

    /// The byte an escape stands for; `JSONBuffer` escapes only bytes of ASCII.
    private mutating func escaped() -> UInt8? {
      guard position < bytes.count else { return nil }
      defer { position += 1 }
      switch bytes[position] {
      case UInt8(ascii: "b"): return 0x08
      case UInt8(ascii: "t"): return 0x09
      case UInt8(ascii: "n"): return 0x0a
      case UInt8(ascii: "f"): return 0x0c
      case UInt8(ascii: "r"): return 0x0d
      case UInt8(ascii: "u"):
        guard position + 4 < bytes.count else { return nil }
        defer { position += 4 }
        let digits = String(decoding: bytes[position + 1...position + 4], as: UTF8.self)
        return UInt8(digits, radix: 16)
      case let byte: return byte
      }
    }
  }
}
