/// Finds UUIDs and hexadecimal values in a text.
///
/// Source: `simpledatalogs.md` section 6.1.
struct NumberScanner {
  private let text: [Character]

  init(_ text: [Character]) {
    self.text = text
  }

  /// Runs of 8, 4, 4, 4 and 12 hexadecimal digits with dashes between.
  var uuids: [Range<Int>] {
    let groups = [8, 4, 4, 4, 12]
    return ranges { start in
      var end = start
      for (number, digits) in groups.enumerated() {
        if number > 0 {
          guard end < text.count, text[end] == "-" else { return nil }
          end += 1
        }
        guard hexadecimals(from: end, atMost: digits) == digits else { return nil }
        end += digits
      }
      return isFree(at: end) ? end : nil
    }
  }

  /// The fewest digits of a hexadecimal value that is not marked as one.
  private static let bareDigits = 8

  /// Values that begin with `0x`, and long runs of hexadecimal digits with a digit and a letter.
  var hexadecimals: [Range<Int>] {
    ranges { start in
      if text[start] == "0", start + 1 < text.count, text[start + 1].lowercased() == "x" {
        let digits = hexadecimals(from: start + 2)
        return digits > 0 ? start + 2 + digits : nil
      }
      let end = start + hexadecimals(from: start)
      let run = text[start..<end]
      let isValue =
        run.count >= Self.bareDigits && run.contains(where: \.isDecimalDigit)
        && run.contains(where: \.isLetter)
      return isValue && isFree(at: end) ? end : nil
    }
  }

  /// What is found by looking at every place that neither letter nor digit is before.
  private func ranges(_ end: (Int) -> Int?) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var position = 0
    while position < text.count {
      let isFirst = position == 0 || !Self.isWord(text[position - 1])
      guard isFirst, let end = end(position) else {
        position += 1
        continue
      }
      found.append(position..<end)
      position = end
    }
    return found
  }

  private func hexadecimals(from start: Int, atMost limit: Int = .max) -> Int {
    var count = 0
    while count < limit, start + count < text.count, text[start + count].isASCII,
      text[start + count].isHexDigit
    {
      count += 1
    }
    return count
  }

  private func isFree(at position: Int) -> Bool {
    position >= text.count || !Self.isWord(text[position])
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber
  }
}
