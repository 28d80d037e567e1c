/// How large an event may be, and what happens to what is over.
///
/// The values are those of the Footfall v1 protocol; other protocols are in
/// `EventLimits+Protocols.swift`.
package struct EventLimits: Sendable, Equatable {
  /// Which characters a name may have.
  package enum NameCharacters: Sendable, Equatable {
    /// Any.
    case any
    /// Letters and digits of ASCII, `_`, `-`, `.`, `/` and space.
    case plainASCII
  }

  /// Which values a property may have.
  package enum Values: Sendable, Equatable {
    /// Whatever JSON has.
    case any
    /// Text, numbers, truth values and null; another value is treated as said.
    case flat(Excess)
  }

  /// The longest name.
  package var name = TextLimit(256, .scalars, .cut)
  /// Which characters a name may have; an event with others is dropped.
  package var nameCharacters = NameCharacters.any
  /// The longest key of a property.
  package var key = TextLimit(256, .scalars, .leaveOut)
  /// The longest text value.
  package var text = TextLimit(8 * 1_024, .utf8, .cut)
  /// The most properties of one event, nested ones included.
  package var properties = 256
  /// What happens to properties over that number: left out, or the event with them.
  package var propertiesExcess = Excess.leaveOut
  /// Which values a property may have.
  package var values = Values.any
  /// The deepest nesting, the properties object itself being level 1; deeper values are left out.
  package var depth = 8
  /// What happens to NaN and infinities: left out, or the event with them.
  package var notFinite = Excess.leaveOut
  /// The most bytes of the properties as JSON; an event with more is dropped.
  package var propertiesBytes = Int.max
  /// The largest encoded event, in bytes; a larger one is dropped.
  package var eventBytes = 64 * 1_024
  /// The longest id, device id and user id, in bytes; an event with a longer one is dropped.
  package var identifierBytes = 128
  /// How far back an event may be dated, in milliseconds: 3,650 days.
  package var backDatingMilliseconds: Int64 = 3_650 * 86_400_000

  /// The limits of Footfall v1.
  package init() {}

  /// Whether everything over is treated as in Footfall v1, whatever the numbers: that is what an
  /// encoder does on its way, so that no event is looked at twice.
  var areCheckedWhileEncoding: Bool {
    let usual = EventLimits()
    return nameCharacters == .any && values == .any && propertiesBytes == .max
      && notFinite == .leaveOut && propertiesExcess == .leaveOut
      && (name.unit, name.excess) == (usual.name.unit, usual.name.excess)
      && (key.unit, key.excess) == (usual.key.unit, usual.key.excess)
      && (text.unit, text.excess) == (usual.text.unit, usual.text.excess)
  }
}

/// What the limits say about an event's own time.
package enum EventTime: Sendable, Equatable {
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
