public import EventRecord

/// The three times of a stored event, each between the years 1 and 9999.
///
/// Whatever a client sends, a store can keep it as a moment and compute with it. A time outside is
/// moved to the nearest moment inside.
public struct EventTimes: Sendable, Hashable {
  /// The event's own time, in milliseconds since 1970 (UTC).
  public let ownMs: Int64
  /// The time insights use.
  public let correctedMs: Int64
  /// When the server received the request.
  public let receivedMs: Int64

  /// The times of an event in a record.
  public init(_ event: EventView, header: RecordHeader) {
    var event = event
    var header = header
    event.timestampMs = Self.bounded(event.timestampMs)
    header.receivedAtMs = Self.bounded(header.receivedAtMs)
    header.clockCorrectionMs = Self.bounded(header.clockCorrectionMs)
    ownMs = event.timestampMs
    receivedMs = header.receivedAtMs
    correctedMs = Self.bounded(event.correctedMs(header))
  }

  private static func bounded(_ ms: Int64) -> Int64 { min(max(ms, startMs), endMs - 1) }

  /// The first moment that is stored, in milliseconds since 1970.
  public static let startMs: Int64 = -62_135_596_800_000
  /// The first moment after the last that is stored.
  public static let endMs: Int64 = 253_402_300_800_000
}
