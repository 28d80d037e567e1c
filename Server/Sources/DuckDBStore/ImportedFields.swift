import EventRecord
import EventStore

/// Why a line is no event.
struct LineProblem: Error {
  /// Some words, such as `it has no name`, that say nothing of the event.
  let reason: String
  /// Whether the line has not even the file's form.
  var isShapeless = false

  init(_ reason: String, isShapeless: Bool = false) {
    self.reason = reason
    self.isShapeless = isShapeless
  }
}

/// What a line says of an event, by the names of `TransferColumns`.
struct ImportedFields {
  /// The longest name that any protocol lets through, in characters.
  static let maxNameCharacters = 1_024
  /// The longest id, in bytes.
  static let maxIDBytes = 1_024
  /// The last millisecond of the year 9999.
  static let lastMs: Int64 = 253_402_300_799_999

  private enum Field {
    case text(String)
    case integer(Int64)
    case boolean(Bool)
    /// An object as it is written.
    case object(String)
    case other
  }

  private var fields: [String: Field] = [:]
  /// The latest time that is believed, in milliseconds since 1970.
  let latestMs: Int64

  /// Those of a JSON object.
  init(line: String, latestMs: Int64) throws(LineProblem) {
    guard let members = PropertyValue.writtenMembers(of: line) else {
      throw LineProblem("it is no JSON object", isShapeless: true)
    }
    self.latestMs = latestMs
    for (name, member) in members where TransferColumns.names.contains(name) {
      switch member.value {
      case .null: continue
      case .text(let text): fields[name] = .text(text)
      case .integer(let value): fields[name] = .integer(value)
      case .boolean(let value): fields[name] = .boolean(value)
      case .object: fields[name] = .object(member.json)
      case .decimal, .list: fields[name] = .other
      }
    }
  }

  /// Those of texts; an empty one is none.
  init(names: [String], texts: [String], latestMs: Int64) {
    self.latestMs = latestMs
    for (name, text) in zip(names, texts) where !text.isEmpty { fields[name] = .text(text) }
  }

  /// An event's name.
  func name() throws(LineProblem) -> String {
    guard case .text(let name)? = fields["name"], !name.isEmpty else {
      throw LineProblem(fields["name"] == nil ? "it has no name" : "its name is no text, or empty")
    }
    guard name.count <= Self.maxNameCharacters else {
      throw LineProblem("its name is longer than \(Self.maxNameCharacters) characters")
    }
    return name
  }

  /// A moment, in milliseconds since 1970; nil where there is none.
  ///
  /// - Parameters:
  ///   - name: its field.
  ///   - earliestMs: the first moment that is taken.
  ///   - latestMs: the last one; unless told, the latest that is believed.
  /// - Returns: the moment.
  /// - Throws: `LineProblem` for what is no moment, or lies outside.
  func time(
    _ name: String,
    from earliestMs: Int64 = 0,
    upTo latestMs: Int64? = nil
  ) throws(LineProblem) -> Int64? {
    guard let ms = try integer(name) else { return nil }
    guard ms >= earliestMs else {
      throw LineProblem("\(name) lies \(earliestMs == 0 ? "before 1970" : "too far in the past")")
    }
    guard ms <= min(Self.lastMs, latestMs ?? self.latestMs) else {
      throw LineProblem("\(name) lies too far in the future")
    }
    return ms
  }

  /// A whole number; nil where there is none.
  func integer(_ name: String) throws(LineProblem) -> Int64? {
    switch fields[name] {
    case nil: return nil
    case .integer(let value)?: return value
    case .text(let text)?:
      guard let value = Int64(text) else { break }
      return value
    default: break
    }
    throw LineProblem("\(name) is no whole number")
  }

  /// A truth value; nil where there is none.
  func boolean(_ name: String) throws(LineProblem) -> Bool? {
    switch fields[name] {
    case nil: return nil
    case .boolean(let value)?: return value
    case .text("true")?, .integer(1)?: return true
    case .text("false")?, .integer(0)?: return false
    default: throw LineProblem("\(name) is neither true nor false")
    }
  }

  /// An id; a whole number stands for its digits, and nothing for an empty text.
  func id(_ name: String) throws(LineProblem) -> String {
    let text: String
    switch fields[name] {
    case nil: return ""
    case .text(let value)?: text = value
    case .integer(let value)?: text = String(value)
    default: throw LineProblem("\(name) is no text")
    }
    guard text.utf8.count <= Self.maxIDBytes else {
      throw LineProblem("\(name) is longer than \(Self.maxIDBytes) bytes")
    }
    return text
  }

  /// A JSON object as it is written; an empty text for none and for an empty one.
  func object(_ name: String) throws(LineProblem) -> String {
    switch fields[name] {
    case nil: return ""
    case .object(let written)?, .text(let written)?:
      // What is no object would spoil every page that shows it.
      guard let settled = PropertyValue.settled(written) else { break }
      let isEmpty = settled.utf8.allSatisfy { $0 <= 0x20 || "{}".utf8.contains($0) }
      return isEmpty ? "" : settled
    default: break
    }
    throw LineProblem("\(name) is no JSON object")
  }
}
