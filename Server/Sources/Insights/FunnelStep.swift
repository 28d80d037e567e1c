/// One step of a funnel: an event of a name that meets conditions.
///
/// Written `NAME|CONDITION|…`, such as `Song Played|props.title:contains:Sun`; a backslash before `|`,
/// `;` or `\` takes them as they are.
public struct FunnelStep: Sendable, Hashable {
  /// The event's name.
  public var name: String
  /// What else must hold of the event.
  public var conditions: [Condition]

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
public enum EscapedList {
  /// The texts.
  public static func parts(of text: String, separator: Character) -> [String] {
    var parts = [""]
    var isEscaped = false
    for character in text {
      if isEscaped {
        // Only what needs it was escaped; what another list escaped is still so.
        if character != separator, character != "\\" { parts[parts.count - 1].append("\\") }
        parts[parts.count - 1].append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == separator {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    if isEscaped { parts[parts.count - 1].append("\\") }
    return text.isEmpty ? [] : parts
  }

  /// The one text.
  public static func text(of parts: [String], separator: Character) -> String {
    parts.map { part in
      part.reduce(into: "") { text, character in
        if character == separator || character == "\\" { text.append("\\") }
        text.append(character)
      }
    }.joined(separator: String(separator))
  }
}
