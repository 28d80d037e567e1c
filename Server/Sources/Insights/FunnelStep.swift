import EventRecord

/// One step of a funnel: an event of a name that meets conditions.
///
/// Written `NAME|CONDITION|…`, such as `Song Played|props.title:contains:Sun`; a backslash before `|`,
/// `;` or `\` takes them as they are.
public struct FunnelStep: Sendable, Hashable {
  /// The event's name.
  public var name: String
  /// What else must hold of the event.
  public var conditions: [Condition]

  /// Whether they are written alike, byte by byte.
  public static func == (a: Self, b: Self) -> Bool { a.text.hasBytes(of: b.text) }

  /// Mixes in how it is written.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(text)) }

  /// A step from its parts.
  public init(_ name: String, _ conditions: [Condition] = []) {
    self.name = name
    self.conditions = conditions
  }

  /// Reads a step as it is written; nil without a name or with something that is no condition.
  public init?(_ text: String) {
    let parts = EscapedList.parts(of: text, separator: "|")
    guard let name = parts.first, !name.isEmpty else { return nil }
    let conditions = parts.dropFirst().compactMap { Condition($0) }
    guard conditions.count == parts.count - 1 else { return nil }
    self.init(name, conditions)
  }

  /// The step as `init` reads it.
  public var text: String {
    EscapedList.text(of: [name] + conditions.map(\.text), separator: "|")
  }

  /// The step as people say it.
  public var title: String {
    conditions.isEmpty ? name : name + " (" + conditions.map(\.title).joined(separator: ", ") + ")"
  }

  var all: [Condition] { [Condition(.name, .equals, name)] + conditions }

  /// The step in SQL.
  func sql(_ statement: inout Statement) -> String {
    "(" + all.map { $0.sql(&statement) }.joined(separator: " AND ") + ")"
  }
}

/// Texts in one text, with a separator between them and a backslash before one that is part of a text.
///
/// Spaces around a separator are how people write lists, and part of no text; those with which a text
/// begins or ends have a backslash, too.
public enum EscapedList {
  /// The texts.
  public static func parts(of text: String, separator: Character) -> [String] {
    var parts: [Part] = [Part()]
    var isEscaped = false
    for character in text {
      if isEscaped {
        // Only what needs it was escaped; what another list escaped is still so.
        let isOurs = character == separator || character == "\\" || character.isWhitespace
        if !isOurs { parts[parts.count - 1].append("\\", isMeant: true) }
        parts[parts.count - 1].append(character, isMeant: true)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == separator {
        parts.append(Part())
      } else {
        parts[parts.count - 1].append(character, isMeant: !character.isWhitespace)
      }
    }
    if isEscaped { parts[parts.count - 1].append("\\", isMeant: true) }
    return text.isEmpty ? [] : parts.map(\.text)
  }

  /// A text on its way, without the spaces around it.
  private struct Part {
    private(set) var text = ""
    /// Spaces that are only part of the text if more of it follows.
    private var spaces = ""

    mutating func append(_ character: Character, isMeant: Bool) {
      guard isMeant else {
        if !text.isEmpty { spaces.append(character) }
        return
      }
      text += spaces
      spaces = ""
      text.append(character)
    }
  }

  /// The one text.
  public static func text(of parts: [String], separator: Character) -> String {
    parts.map { part in
      let words = part.indices.filter { !part[$0].isWhitespace }
      var text = ""
      for index in part.indices {
        let isAround =
          words.first.map { index < $0 } ?? true || words.last.map { index > $0 } ?? true
        if part[index] == separator || part[index] == "\\" || isAround { text.append("\\") }
        text.append(part[index])
      }
      return text
    }.joined(separator: String(separator))
  }
}
