import EventStore
import Insights

/// What a parameter, a body or an answer looks like: said once, checked against and published.
indirect enum APISchema: Sendable {
  /// A text of so many characters.
  case text(ClosedRange<Int>)
  /// A text that fits a regular expression from its start to its end; both say the same.
  case pattern(String, @Sendable (String) -> Bool)
  /// One of a few words.
  case choice([String])
  /// A whole number.
  case integer(ClosedRange<Int64>)
  /// True or false.
  case boolean
  /// A number, a text or null.
  case scalar
  /// Values of one kind, at most so many.
  case list(APISchema, max: Int)
  /// These members; in what is sent to us no other.
  case object([APIField])
  /// Any JSON object.
  case anyObject
  /// The value, or null.
  case nullable(APISchema)

  /// A moment in milliseconds since 1970, up to the year 9999.
  static let time = APISchema.integer(0...253_402_300_799_999)

  /// What is wrong with a value, as the end of a sentence; nil when nothing is.
  func problem(with value: PropertyValue) -> String? {
    switch (self, value) {
    case (.nullable, .null): nil
    case (.nullable(let schema), _): schema.problem(with: value)
    case (.text(let length), .text(let text)):
      length.contains(text.unicodeScalars.count)
        ? nil : "has \(length.lowerBound) to \(length.upperBound) characters"
    case (.pattern(let pattern, let fits), .text(let text)):
      fits(text) ? nil : "is not written \(pattern)"
    case (.choice(let words), .text(let text)):
      words.contains(text)
        ? nil
        : words.count > 20
          ? "is none of the \(words.count) that are known, such as \(words[0])"
          : "is one of \(words.joined(separator: ", "))"
    case (.integer(let range), .integer(let number)):
      range.contains(number)
        ? nil : "is a whole number from \(range.lowerBound) to \(range.upperBound)"
    case (.boolean, .boolean), (.anyObject, .object): nil
    case (.scalar, .integer), (.scalar, .decimal), (.scalar, .text), (.scalar, .null): nil
    case (.list(let schema, let max), .list(let values)):
      values.count > max
        ? "has at most \(max) entries" : values.lazy.compactMap(schema.problem).first
    case (.object(let fields), .object(let members)): Self.problem(of: members, fields)
    default: "is not \(noun)"
    }
  }

  private static func problem(
    of members: Members<PropertyValue>,
    _ fields: [APIField]
  ) -> String? {
    if let unknown = members.keys.first(where: { name in
      !fields.contains { $0.name == name }
    }) {
      return "has no member “\(unknown)”"
    }
    for field in fields {
      guard let value = members[field.name] else {
        if field.isRequired { return "lacks “\(field.name)”" }
        continue
      }
      if let problem = field.schema.problem(with: value) { return "“\(field.name)” \(problem)" }
    }
    return nil
  }

  /// Reads a text from an address as this schema wants it.
  func value(of text: String) -> PropertyValue {
    switch self {
    case .integer:
      // Only plain digits: a number has one spelling in an address.
      Int64(text).flatMap { "\($0)" == text ? .integer($0) : nil } ?? .text(text)
    case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : .text(text)
    default: .text(text)
    }
  }

  private var noun: String {
    switch self {
    case .text, .pattern, .choice: "a text"
    case .integer: "a whole number"
    case .boolean: "true or false"
    case .scalar: "a number or a text"
    case .list: "a list"
    case .object, .anyObject: "an object"
    case .nullable(let schema): schema.noun
    }
  }

  /// JSON Schema 2020-12.
  var json: JSONValue {
    switch self {
    case .text(let length):
      [
        "type": "string", "minLength": .number(length.lowerBound),
        "maxLength": .number(length.upperBound),
      ]
    case .pattern(let pattern, _): ["type": "string", "pattern": .text("^\(pattern)$")]
    case .choice(let words): ["type": "string", "enum": .list(words.map(JSONValue.text))]
    case .integer(let range):
      [
        "type": "integer", "format": "int64", "minimum": .integer(range.lowerBound),
        "maximum": .integer(range.upperBound),
      ]
    case .boolean: ["type": "boolean"]
    case .scalar: ["type": ["number", "string", "null"]]
    case .list(let schema, let max):
      ["type": "array", "items": schema.json, "maxItems": .number(max)]
    case .anyObject: ["type": "object"]
    case .nullable(let schema): ["oneOf": [schema.json, ["type": "null"]]]
    case .object(let fields):
      [
        "type": "object", "additionalProperties": false,
        "required": .list(fields.filter(\.isRequired).map { .text($0.name) }),
        "properties": .object(fields.map { ($0.name, $0.described) }),
      ]
    }
  }
}

/// A member of an object.
struct APIField: Sendable {
  let name: String
  let schema: APISchema
  var about = ""
  var isRequired = true

  /// A member.
  init(_ name: String, _ schema: APISchema, _ about: String = "", isRequired: Bool = true) {
    self.name = name
    self.schema = schema
    self.about = about
    self.isRequired = isRequired
  }

  var described: JSONValue {
    guard !about.isEmpty, case .object(let members) = schema.json else { return schema.json }
    return .object(members + [("description", .text(about))])
  }
}
