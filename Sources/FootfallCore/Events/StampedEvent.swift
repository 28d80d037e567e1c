/// One event between the call to `track` and the pipeline: everything stamped at the call.
///
/// Kept small, since it is moved under the inbox's lock; what few events carry is behind one
/// reference.
package struct StampedEvent: Sendable {
  /// What happened.
  package var name: EventName
  /// The properties given at the call.
  package var properties: Properties
  /// Properties that are still to be read; those above go over them.
  package var unread: (any UnreadProperties)?
  /// The id made at the call.
  package var id: EventID
  /// When it happened, in milliseconds since 1970 by the device's clock.
  package var milliseconds: Int64
  /// The moment of the call on every clock.
  package var moment: Moment
  /// What this event says differently, if anything.
  package var details: EventDetails?

  /// An event from its parts.
  package init(
    name: EventName,
    properties: Properties,
    unread: (any UnreadProperties)? = nil,
    id: EventID,
    milliseconds: Int64,
    moment: Moment,
    details: EventDetails? = nil
  ) {
    self.name = name
    self.properties = properties
    self.unread = unread
    self.id = id
    self.milliseconds = milliseconds
    self.moment = moment
    self.details = details
  }

  /// Whether it is dated back: an event of the past changes neither sessions nor activity.
  package var isBackDated: Bool { milliseconds < moment.wallMilliseconds }
}

/// The rarely used parts of an event.
package final class EventDetails: Sendable {
  /// Overrides given at the call.
  package let options: EventOptions
  /// Operations on the person's properties, for `$identify`.
  package let operations: IdentifyOperations?
  /// Operations on a group's properties, for `$groupidentify`.
  package let groupOperations: IdentifyOperations?
  /// Told once what became of the event.
  package let onResult: (@Sendable (EventResult) -> Void)?

  /// Details from their parts.
  package init(
    options: EventOptions = EventOptions(),
    operations: IdentifyOperations? = nil,
    groupOperations: IdentifyOperations? = nil,
    onResult: (@Sendable (EventResult) -> Void)? = nil
  ) {
    self.options = options
    self.operations = operations
    self.groupOperations = groupOperations
    self.onResult = onResult
  }
}
