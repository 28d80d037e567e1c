/// Properties of an event as an untyped dictionary.
package struct UntypedProperties: UnreadProperties, @unchecked Sendable {
  // Sendable by what callers promise: objects inside are not changed once they were handed over.
  private let dictionary: [String: Any]

  /// A dictionary as the caller gave it.
  package init(_ dictionary: [String: Any]) {
    self.dictionary = dictionary
  }

  /// The properties, sorted by key, each as `PropertyValue(converting:)` has it.
  package func read() -> ReadProperties {
    var unsupported: [String] = []
    let properties = Properties(converting: dictionary, unsupported: &unsupported)
    return ReadProperties(properties, unsupported: unsupported)
  }
}
