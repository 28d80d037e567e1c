/// Takes out of a crash's reason what may be about a person: paths, addresses, ids and numbers.
///
/// In a fixed order, since numbers taken out first would leave the others unrecognizable. Redacting a
/// redacted text changes nothing. Source: `simpledatalogs.md` section 6.1.
package struct ReasonRedaction: Sendable, Equatable {
  /// Whether digits become `#`, UUIDs `<uuid>` and hexadecimal values `<hex>`.
  package var numbers: Bool
  /// Whether paths and file URLs become `<path>`.
  package var paths: Bool
  /// Whether e-mail addresses become `<email>`.
  package var emails: Bool
  /// How long the result is at most, in characters, from 0 to 4,000.
  package let maxLength: Int

  /// A redaction from its parts; a length out of range is the nearest one within.
  package init(numbers: Bool, paths: Bool, emails: Bool, maxLength: Int) {
    self.numbers = numbers
    self.paths = paths
    self.emails = emails
    self.maxLength = min(max(0, maxLength), CrashRecord.reasonCharacters)
  }

  /// The text without what is to be taken out.
  package func redact(_ text: String) -> String {
    var scanned = Array(text)
    if paths { scanned = Self.replacing(PathScanner(scanned).ranges, in: scanned, by: "<path>") }
    if emails { scanned = Self.replacing(EmailScanner(scanned).ranges, in: scanned, by: "<email>") }
    if numbers {
      scanned = Self.replacing(NumberScanner(scanned).uuids, in: scanned, by: "<uuid>")
      scanned = Self.replacing(NumberScanner(scanned).hexadecimals, in: scanned, by: "<hex>")
      for (place, character) in scanned.enumerated() where character.isDecimalDigit {
        scanned[place] = "#"
      }
    }
    return String(scanned.prefix(maxLength))
  }

  private static func replacing(
    _ ranges: [Range<Int>],
    in text: [Character],
    by mark: String
  ) -> [Character] {
    var result: [Character] = []
    var position = 0
    for range in ranges {
      result += text[position..<range.lowerBound]
      result += mark
      position = range.upperBound
    }
    return result + text[position...]
  }
}

extension Character {
  /// Whether this is a decimal digit of any script.
  var isDecimalDigit: Bool { unicodeScalars.first?.properties.generalCategory == .decimalNumber }
}
