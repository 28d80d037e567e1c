/// What of a request its signature covers, as it was received.
///
/// The pointers must outlive its use.
public struct SignedRequest {
  /// The method, in capitals.
  public var method: String
  /// The path as it stands in the request: not decoded, without the query.
  public var path: UnsafeRawBufferPointer
  /// What stands behind the question mark; empty without one.
  public var query: UnsafeRawBufferPointer
  /// The body's bytes as received, before inflating.
  public var body: UnsafeRawBufferPointer
  /// The values of the header fields of a name in small letters, in order.
  public var headers: (_ name: String) -> [String]

  /// A request from its parts.
  public init(
    method: String,
    path: UnsafeRawBufferPointer,
    query: UnsafeRawBufferPointer,
    body: UnsafeRawBufferPointer,
    headers: @escaping (_ name: String) -> [String]
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.headers = headers
  }
}

extension SignedRequest {
  /// A header field that is signed: its name, and its values as they are signed.
  typealias HeaderLine = (name: String, value: [UInt8])

  /// The lines of these header fields; that of the host has no value, since it is signed in many spellings.
  func headerLines(_ names: [String]) -> [HeaderLine] {
    names.map { name in
      var value: [UInt8] = []
      guard name != "host" else { return (name, value) }
      for (place, text) in headers(name).enumerated() {
        if place > 0 { value.append(UInt8(ascii: ",")) }
        Self.appendTrimmed(text, to: &value)
      }
      return (name, value)
    }
  }

  /// The text whose hash is signed, for one spelling of host and path.
  ///
  /// Source: Signature Version 4, "Create a canonical request". Only S3 takes the path as it is; it is
  /// encoded once more for every other service.
  func canonical(
    signing lines: [HeaderLine],
    host: String,
    path: Substring.UTF8View,
    bodyHash: String
  ) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    var text: [UInt8] = []
    text.reserveCapacity(1_024)
    text += method.utf8
    text.append(newline)
    Self.encode(path, into: &text)
    text.append(newline)
    text += canonicalQuery.utf8
    text.append(newline)
    for line in lines {
      text += line.name.utf8
      text.append(UInt8(ascii: ":"))
      if line.name == "host" { text += host.utf8 } else { text += line.value }
      text.append(newline)
    }
    text.append(newline)
    for (place, line) in lines.enumerated() {
      if place > 0 { text.append(UInt8(ascii: ";")) }
      text += line.name.utf8
    }
    text.append(newline)
    text += bodyHash.utf8
    return text
  }

  /// The query's pairs by name and value; what has no value gets an empty one.
  private var canonicalQuery: String {
    guard !query.isEmpty else { return "" }
    let pairs = query.split(separator: UInt8(ascii: "&")).map { pair -> (String, String) in
      let parts = pair.split(
        separator: UInt8(ascii: "="),
        maxSplits: 1,
        omittingEmptySubsequences: false
      )
      let value = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
      return (String(decoding: parts[0], as: UTF8.self), value)
    }
    return pairs.sorted(by: <).map { "\($0.0)=\($0.1)" }.joined(separator: "&")
  }

  /// Adds a path with all bytes escaped but slashes and the unreserved ones (RFC 3986, section 2.3).
  private static func encode(_ path: Substring.UTF8View, into text: inout [UInt8]) {
    for byte in path {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        text.append(byte)
      default:
        text += (byte < 0x10 ? "%0" : "%").utf8
        text += String(byte, radix: 16, uppercase: true).utf8
      }
    }
  }

  /// Adds a header's value without blanks around it, and with single ones within.
  private static func appendTrimmed(_ value: String, to text: inout [UInt8]) {
    let start = text.count
    var isBlank = false
    for byte in value.utf8 {
      guard byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t") else {
        isBlank = true
        continue
      }
      if isBlank, text.count > start { text.append(UInt8(ascii: " ")) }
      isBlank = false
      text.append(byte)
    }
  }
}
