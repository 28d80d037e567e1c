/// Reads the texts that stand first in an event's stored bytes, such as its id and name.
///
/// Looks only as far as it has to, since it may be asked about every event that is delivered.
package enum StoredEventHead {
  /// The id and the name, under the keys a codec writes them; nil if these are not an event's bytes.
  package static func read(
    _ event: ArraySlice<UInt8>,
    id: String = "id",
    name: String = "name"
  ) -> (id: String, name: String)? {
    let found = texts([id, name], of: event)
    guard let id = found[id], let name = found[name] else { return nil }
    return (id, name)
  }

  /// The texts under some keys, as far as they stand before the first object or list.
  package static func texts(_ keys: [String], of event: ArraySlice<UInt8>) -> [String: String] {
    event.withUnsafeBufferPointer { bytes in
      var scanner = Scanner(bytes: bytes)
      return scanner.texts(keys)
    }
  }

  private struct Scanner {
    let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    mutating func texts(_ keys: [String]) -> [String: String] {
      var found: [String: String] = [:]
      guard take(UInt8(ascii: "{")) else { return found }
      while found.count < keys.count, let key = string(), take(UInt8(ascii: ":")) {
        switch bytes.indices.contains(position) ? bytes[position] : 0 {
        case UInt8(ascii: "\""):
          guard let value = string() else { return found }
          if keys.contains(key) { found[key] = value }
        case UInt8(ascii: "{"), UInt8(ascii: "["): return found
        default: skipScalar()
        }
        guard take(UInt8(ascii: ",")) else { return found }
      }
      return found
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
        return Int64(digits, radix: 16).flatMap(UInt8.init(exactly:))
      case let byte: return byte
      }
    }
  }
}
