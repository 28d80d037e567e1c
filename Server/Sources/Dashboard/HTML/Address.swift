/// An address within this site: a path of segments and a query, each encoded.
///
/// It always begins with one `/`, so text from outside can never turn it into another site's
/// address or a `javascript:` one.
struct Address: Sendable, Hashable {
  /// The encoded address.
  private(set) var text: String
  private var hasQuery = false

  /// The address of these segments below the root.
  init(_ segments: String...) { self.init(segments: segments) }

  /// The address of these segments below the root.
  init(segments: [String]) {
    text = segments.isEmpty ? "/" : ""
    for segment in segments { text += "/" + Self.encoded(segment) }
  }

  /// The address a visitor wants to come back to, if it is one within this site.
  init?(local text: String) {
    // A second slash or a backslash would make browsers take the next part for a host.
    guard text.hasPrefix("/"), text.utf8.dropFirst().first != UInt8(ascii: "/"),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\\") })
    else { return nil }
    self.text = text
    hasQuery = text.contains("?")
  }

  /// The same address with a pair added to its query; nil adds nothing.
  func with(_ name: String, _ value: String?) -> Address {
    guard let value, !value.isEmpty else { return self }
    var address = self
    address.text += (hasQuery ? "&" : "?") + Self.encoded(name) + "=" + Self.encoded(value)
    address.hasQuery = true
    return address
  }

  /// The same address with a place on its page; nothing can be added to its query then.
  func at(_ id: StaticString) -> Address {
    var address = self
    address.text += "#\(id)"
    return address
  }

  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
