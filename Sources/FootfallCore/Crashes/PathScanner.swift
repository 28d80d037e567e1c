/// Finds what looks like the path of a file in a text.
///
/// Source: `simpledatalogs.md` section 6.1.
struct PathScanner {
  private let text: [Character]

  init(_ text: [Character]) {
    self.text = text
  }

  /// A line of a stack with only the last component of every path in it.
  static func shortened(_ line: String) -> String {
    let text = Array(line)
    var result = ""
    var position = 0
    for range in PathScanner(text).ranges {
      result += String(text[position..<range.lowerBound])
      let path = text[range]
      let last = path.lastIndex { $0 == "/" || $0 == "\\" }.map { $0 + 1 } ?? path.startIndex
      result += String(path[last...])
      position = range.upperBound
    }
    return result + String(text[position...])
  }

  /// Where the paths are, in order.
  var ranges: [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while position < text.count {
      guard mayBegin(at: position), let body = beginning(at: position) else {
        position += 1
        continue
      }
      let end = end(of: position, body: body)
      found.append(position..<end)
      position = end
    }
    return found
  }

  // MARK: Where one begins

  private static let quotes: [Character: Character] = [
    "'": "'", "\"": "\"", "`": "`", "“": "”", "‘": "’", "«": "»", "„": "“",
  ]
  private static let closers = Set(quotes.values)
  private static let before: Set<Character> = ["(", "[", "{", "=", ":", ",", ";", "|"]

  private func mayBegin(at position: Int) -> Bool {
    guard position > 0 else { return true }
    let previous = text[position - 1]
    // What follows is the host of an address on the web.
    if previous == ":", starts(with: "//", at: position) { return false }
    return previous.isWhitespace || Self.isQuote(previous) || Self.before.contains(previous)
  }

  /// Where the path goes on behind what shows that it is one; nil if none begins here.
  private func beginning(at position: Int) -> Int? {
    if text[position] == "/" {
      guard position + 1 < text.count, !text[position + 1].isWhitespace else { return nil }
      return position + 1
    }
    if starts(with: "~/", at: position) { return position + 2 }
    if starts(with: "file:/", at: position) { return position + 6 }
    let isDrive =
      text[position].isLetter && text[position].isASCII
      && (starts(with: ":\\", at: position + 1)
        || starts(with: ":/", at: position + 1) && !starts(with: "://", at: position + 1))
    return isDrive ? position + 3 : nil
  }

  private func starts(with prefix: String, at position: Int) -> Bool {
    guard position < text.count else { return false }
    return text[position...].starts(with: prefix) {
      $0 == $1 || $0.lowercased() == $1.lowercased()
    }
  }

  private static func isQuote(_ character: Character) -> Bool {
    quotes[character] != nil || closers.contains(character)
  }

  // MARK: Where it ends

  private static let ends: Set<Character> = ["<", ">", "|", ":"]
  private static let punctuation: Set<Character> = [".", ",", ";", ":", "!", "?", ")", "]", "}"]

  private func end(of start: Int, body: Int) -> Int {
    if start > 0, let closer = Self.quotes[text[start - 1]],
      let end = text[body...].firstIndex(of: closer)
    {
      return end
    }
    var end = word(from: body)
    while continues(at: end) { end = word(from: end + 1) }
    while end > body, Self.punctuation.contains(text[end - 1]) { end -= 1 }
    return end
  }

  /// The end of the word that begins here.
  private func word(from start: Int) -> Int {
    text[start...].firstIndex { character in
      character.isWhitespace || Self.isQuote(character) || Self.ends.contains(character)
    } ?? text.count
  }

  /// Whether one space belongs to the path: what follows looks like a folder of a longer name.
  private func continues(at end: Int) -> Bool {
    guard end < text.count, text[end] == " ", !Self.punctuation.contains(text[end - 1]) else {
      return false
    }
    let next = text[(end + 1)..<word(from: end + 1)]
    guard let slash = next.firstIndex(of: "/"), slash > next.startIndex else { return false }
    return next[..<slash].allSatisfy { $0.isLetter || $0.isNumber || "_-.%+&".contains($0) }
  }
}
