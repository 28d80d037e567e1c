/// One event between the call to `track` and its encoding: everything stamped at the call.
///
/// Kept small, since it is moved under the inbox's lock; what few events carry is behind one
/// reference.
package struct Event: Sendable {
  /// What happened.
  package var name: EventName
  /// The properties given at the call.
  package var properties: Properties
  /// The id made at the call.
  package var id: EventID
  /// When it happened, in milliseconds since 1970 by the device's clock.
  package var milliseconds: Int64
  /// What this event says differently, if anything.
  package var details: EventDetails?

  /// An event from its parts.
  package init(
    name: EventName,
    properties: Properties,
    id: EventID,
    milliseconds: Int64,
    details: EventDetails? = nil
  ) {
    self.name = name
    self.properties = properties
    self.id = id
    self.milliseconds = milliseconds
    self.details = details
  }
}

/// The rarely used parts of an event.
package final class EventDetails: Sendable {
  /// Overrides given at the call.
  package let options: EventOptions
  /// Operations on the person's properties, for `$identify`.
  package let operations: IdentifyOperations?

  /// Details from their parts.
  package init(options: EventOptions = EventOptions(), operations: IdentifyOperations? = nil) {
    self.options = options
    self.operations = operations
  }
}
