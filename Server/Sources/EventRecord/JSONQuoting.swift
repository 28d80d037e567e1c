/// Text as a JSON string (RFC 8259, section 7): quotes and backslashes escaped, and whatever would
/// steer a terminal or end a line.
public enum JSONQuoting {
  /// The string, with its quotes.
  public static func quoted(_ text: String) -> String {
    var json = ""
    append(text, to: &json)
    return json
  }

  /// Adds the string, with its quotes.
  public static func append(_ text: String, to json: inout String) {
    json += "\""
    for scalar in text.unicodeScalars {
      if let escape = escape(UInt8(truncatingIfNeeded: scalar.value)), scalar.isASCII {
        json += escape
      } else {
        json.unicodeScalars.append(scalar)
      }
    }
    json += "\""
  }

  /// Adds the string's bytes, with its quotes.
  public static func append(_ text: String, to json: inout [UInt8]) {
    json.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if let escape = escape(byte) { json += Array(escape.utf8) } else { json.append(byte) }
    }
    json.append(UInt8(ascii: "\""))
  }

  /// What stands for a byte that may not stand for itself.
  private static func escape(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "\""): "\\\""
    case UInt8(ascii: "\\"): "\\\\"
    case 0..<0x20, 0x7f: "\\u00" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
    default: nil
    }
  }
}
