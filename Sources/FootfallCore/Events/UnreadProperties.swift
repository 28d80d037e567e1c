/// Properties of an event in the form a caller has them, which are read only on the client's own thread.
///
/// Bringing them into the engine's form, or only telling the types of an `Any` apart, costs more than
/// everything else a call does on the caller's thread. It has to be what it was at the call whenever it is
/// read: a collection is, being copied before anyone changes it.
///
/// An event carries it beside its other parts, without memory of its own as long as it is three words.
package protocol UnreadProperties: Sendable {
  /// The properties in the engine's form.
  func read() -> ReadProperties
}

/// What came of reading properties.
package struct ReadProperties: Sendable {
  /// Those that the engine can hold.
  package var properties: Properties
  /// The names of those that it cannot hold, which are left out.
  package var unsupported: [String]
  /// Why the event is not tracked because of them, as the rest of a sentence; nil if it is.
  package var refusal: String?

  /// What came of reading; everything was fine unless said.
  package init(
    _ properties: Properties,
    unsupported: [String] = [],
    refusal: String? = nil
  ) {
    self.properties = properties
    self.unsupported = unsupported
    self.refusal = refusal
  }
}
