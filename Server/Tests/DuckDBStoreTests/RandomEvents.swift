import EventRecord
import EventStore
import FootfallJournal
import Foundation

/// A reproducible source of events that repeat in every way the rules speak of.
struct RandomEvents: RandomNumberGenerator {
  private var state: UInt64
  private var earlier: [(RecordHeader.Source, EventRecord)] = []
  static let start: Int64 = 1_780_000_000_000
  static let day: Int64 = 86_400_000

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A stretch of a log after `start`: some requests with up to 20 events each.
  mutating func batch(log: JournalID, start: JournalPosition) -> LoadBatch {
    var batch = LoadBatch(log: log, start: start)
    for number in 1...Int.random(in: 1...6, using: &self) {
      let source: RecordHeader.Source = Bool.random(using: &self) ? .native : .amplitude
      let header = RecordHeader(
        source: source,
        project: UInt32.random(in: 1...2, using: &self),
        receivedAtMs: Self.start + Int64.random(in: 0...1_000, using: &self),
        clockCorrectionMs: [0, 0, 90_000].randomElement(using: &self) ?? 0
      )
      let events = (0..<Int.random(in: 0...20, using: &self)).map { _ in
        event(source: source, project: header.project)
      }
      let record = RecordWriter.record(
        header,
        context: #"{"library":"test/1.0"}"#,
        events: events
      )
      record.withUnsafeBytes {
        batch.append(
          $0,
          upTo: JournalPosition(segment: start.segment, offset: start.offset + UInt64(number))
        )
      }
    }
    return batch
  }

  /// A new event, or an earlier one again: as it was, at another time, or with the same id in capitals.
  private mutating func event(source: RecordHeader.Source, project: UInt32) -> EventRecord {
    let known = earlier.filter { $0.0 == source }
    if Int.random(in: 0..<3, using: &self) == 0, let (_, again) = known.randomElement(using: &self)
    {
      return keyed(repeated(again), source: source, project: project)
    }
    let event = keyed(fresh(), source: source, project: project)
    earlier.append((source, event))
    return event
  }

  private mutating func fresh() -> EventRecord {
    let days = Int64.random(in: -20...0, using: &self)
    let ownMs = Self.start + days * Self.day + Int64.random(in: 0..<Self.day, using: &self)
    // Ids made at the event's time, just inside and outside of what counts as fresh, and others.
    let madeMs =
      ownMs + ([0, 0, 4_999, -5_000, 5_001, 40 * Self.day].randomElement(using: &self) ?? 0)
    let id =
      Int.random(in: 0..<4, using: &self) == 0
      ? "order-\(Int.random(in: 0..<200, using: &self))" : uuid(madeMs)
    return EventRecord(
      key: EventKey(high: 0, low: 0),
      kind: Bool.random(using: &self) ? .event : .identify,
      flags: Bool.random(using: &self) ? .test : [],
      timestampMs: ownMs,
      sequence: Int64.random(in: 0...9, using: &self),
      id: id,
      name: ["Opened", "Gekauft ✓", "A name of more than twelve bytes"].randomElement(using: &self)
        ?? "",
      deviceID: Bool.random(using: &self) ? "device-\(Int.random(in: 0..<5, using: &self))" : "",
      userID: Bool.random(using: &self) ? "user" : "",
      properties: Bool.random(using: &self) ? #"{"title":"Here Comes the Sun","n":1}"# : "",
      context: Bool.random(using: &self) ? #"{"ip":"$remote"}"# : ""
    )
  }

  private mutating func repeated(_ event: EventRecord) -> EventRecord {
    var event = event
    let shifts = [
      0, 0, 0, 1, 4_999, 60_000, 3 * Self.day, 7 * Self.day - 1, 7 * Self.day, 7 * Self.day + 1,
      -7 * Self.day + 1, -7 * Self.day, 8 * Self.day, -15 * Self.day,
    ]
    event.timestampMs += shifts.randomElement(using: &self) ?? 0
    if Bool.random(using: &self) { event.id = event.id.uppercased() }
    return event
  }

  private mutating func keyed(
    _ event: EventRecord,
    source: RecordHeader.Source,
    project: UInt32
  ) -> EventRecord {
    var event = event
    event.flags.remove(.keyIsContent)
    if Int.random(in: 0..<8, using: &self) == 0 {
      event.flags.remove(.keyIsRandom)
      event.flags.insert(.keyIsContent)
      event.timestampMs =
        Self.start + Int64.random(in: -15...15, using: &self) * 60_000
        + Int64.random(in: 0..<2, using: &self) * 59_999
      event.key = EventKey(high: 7, low: UInt64.random(in: 0..<4, using: &self))
      return event
    }
    guard !event.flags.contains(.keyIsRandom), Int.random(in: 0..<20, using: &self) > 0 else {
      event.flags.insert(.keyIsRandom)
      event.key = .random(project: project, nonce: (1, 2), counter: next())
      return event
    }
    event.key =
      source == .native
      ? .native(project: project, id: event.id)
      : .amplitude(project: project, deviceID: "device", insertID: event.id)
    return event
  }

  private mutating func uuid(_ ms: Int64) -> String {
    let time = String(UInt64(ms), radix: 16)
    let digits = String(repeating: "0", count: 12 - time.count) + time
    let random = String(next() >> 4 | 1 << 59, radix: 16).suffix(15)
    return "\(digits.prefix(8))-\(digits.suffix(4))-7\(random.prefix(3))-"
      + "9\(random.dropFirst(3).prefix(3))-\(random.dropFirst(6))000"
  }
}
