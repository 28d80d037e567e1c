/// Finds e-mail addresses in a text.
///
/// Source: `simpledatalogs.md` section 6.1.
struct EmailScanner {
  private let text: [Character]

  init(_ text: [Character]) {
    self.text = text
  }

  /// Where the addresses are, in order.
  var ranges: [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while let at = text[position...].firstIndex(of: "@") {
      position = at + 1
      let local = start(before: at, after: found.last?.upperBound ?? 0)
      guard local < at, let end = host(from: at + 1) else { continue }
      found.append(local..<end)
      position = end
    }
    return found
  }

  private func start(before at: Int, after limit: Int) -> Int {
    var start = at
    while start > limit, Self.isLocal(text[start - 1]) { start -= 1 }
    return start
  }

  private static func isLocal(_ character: Character) -> Bool {
    character.isLetter || character.isDecimalDigit || "_.%+-".contains(character)
  }

  /// The end of the longest host: labels with dots between, the last one of two letters at least.
  private func host(from start: Int) -> Int? {
    var end: Int?
    var position = start
    var label = start
    while position < text.count {
      let character = text[position]
      if character == ".", position > label {
        label = position + 1
        var last = label
        while last < text.count, text[last].isLetter { last += 1 }
        if last - label >= 2 { end = last }
      } else if !character.isLetter, !character.isDecimalDigit, character != "-" {
        break
      }
      position += 1
    }
    return end
  }
}
