/// Reads the tags of a page as a browser does, so that tests can say what may be among them.
struct TagScanner {
  struct Tag {
    var name: String
    var attributes: [(name: String, value: String)] = []
  }

  /// Every start tag of the page; `nil` where a `<` begins something that is none.
  static func tags(of html: String) -> [Tag]? {
    var scanner = TagScanner(bytes: Array(html.utf8))
    var tags: [Tag] = []
    while let start = scanner.bytes[scanner.place...].firstIndex(of: UInt8(ascii: "<")) {
      scanner.place = start + 1
      guard let next = scanner.current else { return nil }
      if next == UInt8(ascii: "/") || html.hasPrefix("<!doctype html>") && start == 0 {
        scanner.skip(past: UInt8(ascii: ">"))
        continue
      }
      guard let tag = scanner.tag() else { return nil }
      tags.append(tag)
    }
    return tags
  }

  private let bytes: [UInt8]
  private var place = 0

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skip(past byte: UInt8) {
    while let current, current != byte { place += 1 }
    place += 1
  }

  private mutating func tag() -> Tag? {
    var tag = Tag(name: word())
    guard !tag.name.isEmpty else { return nil }
    while let byte = current {
      if byte == UInt8(ascii: ">") { return tag }
      if isSpace(byte) || byte == UInt8(ascii: "/") {
        place += 1
        continue
      }
      let name = word()
      guard !name.isEmpty else { return nil }
      guard current == UInt8(ascii: "=") else {
        tag.attributes.append((name, ""))
        continue
      }
      place += 1
      // Ours are always quoted.
      guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        return nil
      }
      let start = place + 1
      place = start
      skip(past: quote)
      tag.attributes.append((name, String(decoding: bytes[start..<place - 1], as: UTF8.self)))
    }
    return nil
  }

  private mutating func word() -> String {
    let start = place
    while let byte = current,
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
    { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
}
