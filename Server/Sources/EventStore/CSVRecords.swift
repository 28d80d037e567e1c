/// Puts lines of comma-separated values (RFC 4180) together to records.
///
/// A value: it is given line after line, without their line feeds, and says what it has.
public struct CSVRecords: Sendable {
  /// What a line brought.
  public enum Step: Sendable, Hashable {
    /// A record is whole.
    case record([String])
    /// A text in quotes goes on with the next line.
    case goesOn
    /// The line is no such record, and why.
    case refused(String)
  }

  private let maxBytes: Int
  private var fields: [String] = []
  private var field: [UInt8] = []
  private var isQuoted = false
  private var bytes = 0

  /// - Parameter maxBytes: the longest record; a longer one is refused.
  public init(maxBytes: Int) { self.maxBytes = maxBytes }

  /// Whether a text in quotes has not ended yet.
  public var isOpen: Bool { isQuoted }

  /// Takes a line.
  public mutating func receive(_ line: [UInt8]) -> Step {
    bytes += line.count + 1
    guard bytes <= maxBytes else { return refuse("a text in quotes does not end, or is too long") }
    var place = 0
    if isQuoted { field.append(0x0a) }
    while true {
      guard readField(line, &place) else { return refuse("a quote stands where none may") }
      if isQuoted { return .goesOn }
      guard let text = String(validating: field, as: UTF8.self) else {
        return refuse("it is not UTF-8")
      }
      fields.append(text)
      field.removeAll(keepingCapacity: true)
      // The comma is passed over, or the line is over.
      guard place < line.count else { break }
      place += 1
    }
    defer { restart() }
    return .record(fields)
  }

  /// Gives up what is open.
  public mutating func restart() {
    fields = []
    field = []
    isQuoted = false
    bytes = 0
  }

  private mutating func refuse(_ reason: String) -> Step {
    restart()
    return .refused(reason)
  }

  /// Reads up to a comma or the line's end.
  ///
  /// - Returns: false for a quote where none may be.
  private mutating func readField(_ line: [UInt8], _ place: inout Int) -> Bool {
    let (quote, comma) = (UInt8(ascii: "\""), UInt8(ascii: ","))
    if !isQuoted, field.isEmpty, place < line.count, line[place] == quote {
      isQuoted = true
      place += 1
    }
    guard isQuoted else {
      while place < line.count, line[place] != comma {
        guard line[place] != quote else { return false }
        // The line feed was taken away already.
        if line[place] == 0x0d, place == line.count - 1 {
          place += 1
          break
        }
        field.append(line[place])
        place += 1
      }
      return true
    }
    while place < line.count {
      let byte = line[place]
      place += 1
      guard byte == quote else {
        field.append(byte)
        continue
      }
      guard place < line.count, line[place] == quote else {
        isQuoted = false
        if place == line.count - 1, line[place] == 0x0d { place += 1 }
        return place == line.count || line[place] == comma
      }
      field.append(quote)
      place += 1
    }
    return true
  }
}
