import EventRecord
import EventStore

/// Where the writer looks for an event's key, so that no repeat gets through and little is searched.
///
/// A fresh id is a UUIDv7 made at about the event's own time. All fresh events of one id lie within
/// `freshnessMs` of the moment in the id, so only that minute is searched. Every other native key (a
/// caller's own id, a random UUID, a back-dated event) is kept in a set of its own, for a repeat may
/// carry any time. Since one id may come fresh once and with a far own time again, a fresh key is
/// also looked up in that set, and a key with a UUIDv7 id also in that id's minute. Amplitude's keys
/// are searched seven days around the own time. A random key repeats only when its record is read
/// again, with the same own time, so it is kept like a fresh one made at that time. A key made of an
/// event's content is searched in the minutes around it.
enum KeyPlan: Hashable {
  /// The id was made at about the event's time, in this minute.
  case fresh(minute: Int64)
  /// The key may repeat at any time; the minute of its id if that has one.
  case loose(minute: Int64?)
  /// The key repeats only within seven days; the day of the event.
  case windowed(day: Int64)
  /// The key repeats only within minutes; the minute of the event.
  case brief(minute: Int64)

  /// How far own time and id may be apart for a fresh id.
  static let freshnessMs: Int64 = 5_000
  static let minuteMs: Int64 = 60_000
  static let dayMs: Int64 = 86_400_000

  /// The plan for an event.
  init(_ event: EventView, ownMs: Int64, rule: DuplicateRule) {
    guard !event.flags.contains(.keyIsRandom) else {
      self = .fresh(minute: ownMs.floorDivided(by: Self.minuteMs))
      return
    }
    switch rule {
    case .ownMinutesWithin:
      self = .brief(minute: DuplicateRule.minute(ownMs))
    case .ownTimesWithin:
      self = .windowed(day: ownMs.floorDivided(by: Self.dayMs))
    case .forever:
      guard let made = UUIDv7.milliseconds(event.id) else {
        self = .loose(minute: nil)
        return
      }
      let minute = made / Self.minuteMs
      self =
        abs(made - ownMs) <= Self.freshnessMs ? .fresh(minute: minute) : .loose(minute: minute)
    }
  }

  /// The number under which the row keeps its plan.
  var number: UInt8 {
    switch self {
    case .fresh: Self.freshNumber
    case .loose: Self.looseNumber
    case .windowed: Self.windowedNumber
    case .brief: Self.briefNumber
    }
  }

  static let freshNumber: UInt8 = 0
  static let looseNumber: UInt8 = 1
  static let windowedNumber: UInt8 = 2
  static let briefNumber: UInt8 = 3
}

extension Int64 {
  /// The quotient rounded down, also below zero.
  func floorDivided(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// Reads the moment out of a UUIDv7 in its text form.
enum UUIDv7 {
  /// Milliseconds since 1970; nil for any other text.
  static func milliseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    guard text.count == 36, text[14] == UInt8(ascii: "7"), text[8] == dash, text[13] == dash,
      text[18] == dash, text[23] == dash
    else { return nil }
    var value: Int64 = 0
    for index in 0..<13 where index != 8 {
      guard let digit = digit(text[index]) else { return nil }
      value = value << 4 | digit
    }
    return value
  }

  private static let dash = UInt8(ascii: "-")

  private static func digit(_ byte: UInt8) -> Int64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): Int64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): Int64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
