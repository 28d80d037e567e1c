import EventRecord

/// A JSON value of an answer; members keep their order.
enum JSONValue: Sendable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  case null
  case boolean(Bool)
  case integer(Int64)
  case text(String)
  case list([JSONValue])
  case object([(name: String, value: JSONValue)])
  /// JSON that was checked when it was taken, as it is.
  case raw(String)

  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(integerLiteral value: Int64) { self = .integer(value) }
  init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { (name: $0.0, value: $0.1) })
  }

  /// A text, or null.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.text) ?? .null }

  /// A whole number, or null.
  static func optional(_ number: (some BinaryInteger)?) -> JSONValue {
    number.map { .integer(Int64(clamping: $0)) } ?? .null
  }

  /// A whole number.
  static func number(_ number: some BinaryInteger) -> JSONValue {
    .integer(Int64(clamping: number))
  }

  /// The value on one line.
  var encoded: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .raw(let json): text += json
    case .text(let value): JSONQuoting.append(value, to: &text)
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        JSONQuoting.append(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }
}
