/// Properties of an event as an untyped dictionary, whose values are looked at only on the client's
/// own thread.
///
/// Telling the types of an `Any` apart costs more than everything else a call does on the caller's
/// thread. The dictionary itself is a copy of the moment of the call.
package struct UntypedProperties: @unchecked Sendable {
  // Sendable by what callers promise: objects inside are not changed once they were handed over.
  private let dictionary: [String: Any]

  /// A dictionary as the caller gave it.
  package init(_ dictionary: [String: Any]) {
    self.dictionary = dictionary
  }

  /// The properties, sorted by key; `unsupported` gets the names of those nothing here can hold.
  package func converted(unsupported: inout [String]) -> Properties {
    Properties(converting: dictionary, unsupported: &unsupported)
  }
}
