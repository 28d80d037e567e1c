/// What is wrong with events that are dropped whole, in words for the log; never a value.
extension EventLimits {
  /// Why an event of this name is dropped, as the rest of a sentence; nil if the name is possible.
  package func problem(ofName name: EventName) -> String? {
    if name.text.isEmpty { return "it has no name" }
    guard hasAllowedCharacters(name.text) else {
      return "its name has characters other than ASCII letters and digits, “_-./” and space"
    }
    guard self.name.excess != .cut, !self.name.allows(name.text) else { return nil }
    return "its name is longer than \(self.name.most)"
  }

  /// Why an event with these properties is dropped, as `problem(ofName:)`.
  ///
  /// The size of what is encoded is not looked at.
  package func problem(ofProperties properties: Properties) -> String? {
    if propertiesExcess == .reject, properties.count > self.properties {
      return "it has \(properties.count) properties, and \(self.properties) are possible"
    }
    return properties.lazy.compactMap { problem(ofProperty: $0.key, $0.value, .reject) }.first
  }

  /// What is wrong with a property over which this happens, as the rest of a sentence; nil for
  /// nothing.
  package func problem(
    ofProperty key: String,
    _ value: PropertyValue,
    _ excess: Excess
  ) -> String? {
    if self.key.excess == excess, !self.key.allows(key) {
      return "the key “\(key.prefix(40))” is longer than \(self.key.most)"
    }
    switch value {
    case .double(let number) where !number.isFinite && notFinite == excess:
      return "“\(key)” is not a finite number"
    case .array where values == .flat(excess): return "“\(key)” is a list"
    case .object where values == .flat(excess): return "“\(key)” is an object"
    case .string(let text) where self.text.excess == excess && !self.text.allows(text):
      return "the text of “\(key)” is longer than \(self.text.most)"
    default: return nil
    }
  }
}
