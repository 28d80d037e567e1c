/// An HTTP answer while it comes in: bounded, header fields by lower-cased name.
struct HTTPAnswer: Sendable {
  private(set) var headers: [String: String] = [:]
  private(set) var body: [UInt8] = []
  /// Whether the body went over the limit and its rest was not kept.
  private(set) var isCut = false
  private var headerBytes = 0

  /// Takes one line of the header, with or without its line end.
  mutating func receive(headerLine bytes: some Collection<UInt8>) {
    headerBytes += bytes.count
    guard headerBytes <= TransportLimits.maxHeaderBytes else { return }
    // A status line begins a new answer: after "100 Continue" comes the real one.
    if bytes.starts(with: "HTTP/".utf8) {
      headers = [:]
      return
    }
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return }
    receive(
      header: Self.trimmed(bytes[..<colon]),
      value: Self.trimmed(bytes[bytes.index(after: colon)...])
    )
  }

  /// Takes one header field.
  mutating func receive(header name: String, value: String) {
    guard !name.isEmpty else { return }
    let name = name.lowercased()
    headers[name] = headers[name].map { "\($0), \(value)" } ?? value
  }

  /// Takes a part of the body; false once the limit is reached, and nothing more need be read.
  mutating func receive(body part: some Collection<UInt8>) -> Bool {
    let room = TransportLimits.maxAnswerBytes - body.count
    body.append(contentsOf: part.prefix(room))
    isCut = isCut || part.count > room
    return !isCut
  }

  private static func trimmed(_ bytes: some Collection<UInt8>) -> String {
    let isSpace: (UInt8) -> Bool = { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
    let text = Array(bytes.drop(while: isSpace))
    let end = text.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? 0
    return String(decoding: text[..<end], as: UTF8.self)
  }
}
