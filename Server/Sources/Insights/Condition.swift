import EventRecord
import EventStore

/// Something that must hold of an event.
///
/// Written `FIELD:COMPARISON:VALUE`, such as `platform:is:iOS` or `props.price:over:9.5`. A list holds
/// what one of its values holds. Texts are compared byte by byte; numbers by their value, so that
/// `1` is `1.0`; whole numbers to the last digit. What is negated holds exactly where the plain form does not.
public struct Condition: Sendable, Hashable {
  /// How the field is compared.
  public enum Comparison: String, Sendable, CaseIterable {
    /// Is this text, number or truth value.
    case equals = "is"
    /// Is anything else, or missing.
    case differs = "is-not"
    /// Is a text with this in it.
    case contains
    /// Is no text with this in it.
    case lacks = "contains-not"
    /// Is a number above this.
    case over
    /// Is a number below this.
    case under
    /// Is there at all; the value is not looked at.
    case isThere = "set"
    /// Is missing.
    case isMissing = "not-set"

    /// As people say it.
    public var title: String {
      switch self {
      case .equals: "is"
      case .differs: "is not"
      case .contains: "contains"
      case .lacks: "does not contain"
      case .over: "is over"
      case .under: "is under"
      case .isThere: "is set"
      case .isMissing: "is not set"
      }
    }

    /// The comparison that this one negates; nil for a plain one.
    var negated: Comparison? {
      switch self {
      case .differs: .equals
      case .lacks: .contains
      case .isMissing: .isThere
      default: nil
      }
    }

    /// Whether there is something to compare with.
    public var takesValue: Bool { self != .isThere && self != .isMissing }
  }

  /// What is looked at.
  public var field: Field
  /// How it is compared.
  public var comparison: Comparison
  /// With what.
  public var value: String

  /// Whether they are written alike, byte by byte.
  public static func == (a: Self, b: Self) -> Bool { a.text.hasBytes(of: b.text) }

  /// Mixes in how it is written.
  public func hash(into hasher: inout Hasher) { hasher.combine(ExactText(text)) }

  /// A condition from its parts.
  public init(_ field: Field, _ comparison: Comparison, _ value: String = "") {
    self.field = field
    self.comparison = comparison
    self.value = comparison.takesValue ? value : ""
  }

  /// Only events of one name; nil for no name.
  public static func name(_ name: String?) -> Condition? {
    name.map { Condition(.name, .equals, $0) }
  }

  /// Only events of one user or device; nil for nobody in particular.
  public static func person(_ id: String?) -> Condition? {
    id.flatMap { $0.isEmpty ? nil : Condition(.person, .equals, $0) }
  }

  /// Reads a condition as it is written; nil for anything else.
  public init?(_ text: String) {
    // The first word that is a comparison ends the field, which may have colons of its own: where they
    // would end it, they and backslashes before them have a backslash.
    var words = [""]
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "\\", let next = rest.first, next == ":" || next == "\\" {
        words[words.count - 1].append(next)
        rest.removeFirst()
        continue
      }
      if character != ":" { words[words.count - 1].append(character) }
      guard character == ":" || rest.isEmpty else { continue }
      if words.count > 1, let comparison = Comparison(rawValue: words[words.count - 1]),
        let field = Field(words.dropLast().joined(separator: ":"))
      {
        let value = String(rest)
        if comparison == .over || comparison == .under, Self.number(value) == nil { return nil }
        self.init(field, comparison, value)
        return
      }
      words.append("")
    }
    return nil
  }

  /// The condition as `init` reads it.
  public var text: String {
    "\(fieldText):\(comparison.rawValue)" + (comparison.takesValue ? ":" + value : "")
  }

  private var fieldText: String {
    let words = field.text.split(separator: ":", omittingEmptySubsequences: false).dropFirst()
    let isPlain =
      !field.text.contains("\\") && !words.contains { Comparison(rawValue: String($0)) != nil }
    guard !isPlain else { return field.text }
    return field.text.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
  }

  /// The condition as people say it.
  public var title: String {
    "\(field.title) \(comparison.title)" + (comparison.takesValue ? " " + value : "")
  }

  /// The value as a number; nil for a text that is none in decimal digits.
  var number: Double? { Self.number(value) }

  /// The value as a whole number that a decimal number cannot tell from its neighbours; nil for others.
  var whole: Int64? { Int64(value).flatMap { $0.isBeyondWholes ? $0 : nil } }

  private static func number(_ text: String) -> Double? {
    let isDecimal = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || [0x2b, 0x2d, 0x2e, 0x45, 0x65].contains($0)
    }
    guard isDecimal, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Whether a value meets the condition; nil and null are missing.
  func holds(_ value: PropertyValue?) -> Bool {
    if let plain = comparison.negated {
      var condition = self
      condition.comparison = plain
      return !condition.holds(value)
    }
    guard let value, value != .null else { return false }
    if comparison == .isThere { return true }
    return value.values.contains { holdsOne($0) }
  }

  private func holdsOne(_ one: PropertyValue) -> Bool {
    switch (comparison, one) {
    case (.equals, .text(let text)): Array(text.utf8) == Array(value.utf8)
    case (.equals, .boolean(let truth)): value == (truth ? "true" : "false")
    case (.equals, .integer(let number)) where whole != nil: number == whole
    case (.over, .integer(let number)) where whole != nil: whole.map { number > $0 } ?? false
    case (.under, .integer(let number)) where whole != nil: whole.map { number < $0 } ?? false
    case (.equals, _): one.double.map { $0 == number } ?? false
    case (.contains, .text(let text)): Self.bytes(text.utf8, contain: value.utf8)
    case (.over, _): one.double.flatMap { it in number.map { it > $0 } } ?? false
    case (.under, _): one.double.flatMap { it in number.map { it < $0 } } ?? false
    default: false
    }
  }

  private static func bytes(_ text: String.UTF8View, contain part: String.UTF8View) -> Bool {
    let text = Array(text)
    let part = Array(part)
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
  }
}
