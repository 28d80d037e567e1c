/// How large an event may be.
///
/// The values are those of the Footfall v1 protocol; a face that speaks another protocol brings its
/// own.
package struct EventLimits: Sendable, Hashable {
  /// The longest name, in Unicode scalars; a longer one is cut.
  package var nameCharacters = 256
  /// The longest key of a property, in Unicode scalars; a property with a longer one is left out.
  package var keyCharacters = 256
  /// The most properties of one event, nested ones included; the rest is left out.
  package var properties = 256
  /// The deepest nesting, the properties object itself being level 1; deeper values are left out.
  package var depth = 8
  /// The longest text value, in bytes of UTF-8; a longer one is cut between characters.
  package var textBytes = 8 * 1_024
  /// The largest encoded event, in bytes; a larger one is dropped.
  package var eventBytes = 64 * 1_024
  /// The longest id, device id and user id, in bytes.
  package var identifierBytes = 128
  /// How far back an event may be dated, in milliseconds: 3,650 days.
  package var backDatingMilliseconds: Int64 = 3_650 * 86_400_000

  /// The limits of Footfall v1.
  package init() {}
}

/// What the limits say about an event's own time.
package enum EventTime: Sendable, Hashable {
  /// Keep this time, in milliseconds since 1970.
  case at(Int64)
  /// Too far back: drop the event as `tooOld`.
  case tooOld

  /// The time of an event that asks for `requested` at `now`, both in milliseconds since 1970.
  ///
  /// Exactly the limit is still accepted; a time in the future becomes now.
  package init(requested: Int64, now: Int64, limits: EventLimits) {
    if requested >= now {
      self = .at(now)
    } else {
      self = requested < now - limits.backDatingMilliseconds ? .tooOld : .at(requested)
    }
  }
}
