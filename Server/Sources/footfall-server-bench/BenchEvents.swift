import EventRecord
import Foundation

/// Events of an app with 500 people: ids and times as an SDK makes them, no two ids alike.
struct BenchEvents {
  static let eventsPerRequest = 50
  /// What the events' own time gains per event, in events per millisecond.
  static let eventsPerMs = 10

  private(set) var number = 0
  private var nowMs: Int64
  private var random = SystemRandomNumberGenerator()

  init(startMs: Int64) {
    nowMs = startMs
  }

  /// A request's record as it lies in the ingest log.
  mutating func record() -> [UInt8] {
    let person = Int.random(in: 0..<500, using: &random)
    let header = RecordHeader(source: .native, project: 1, receivedAtMs: nowMs + 400)
    let events = (0..<Self.eventsPerRequest).map { _ in
      let event = event(person: person)
      return EventRecord(
        key: .native(project: 1, id: event.id),
        timestampMs: event.ts,
        sequence: Int64(event.sequence),
        id: event.id,
        name: event.name,
        deviceID: event.device,
        userID: event.user,
        sessionID: event.session,
        properties: event.props
      )
    }
    return RecordWriter.record(header, context: Self.client, events: events)
  }

  /// A request's body as JSON.
  mutating func json() -> [UInt8] {
    let person = Int.random(in: 0..<500, using: &random)
    let events = (0..<Self.eventsPerRequest).map { _ in
      let event = event(person: person)
      let user = event.user.isEmpty ? "" : #""user_id":"\#(event.user)","#
      return """
        {"id":"\(event.id)","seq":\(event.sequence),"name":"\(event.name)","ts":\(event.ts),\
        "device_id":"\(event.device)",\(user)"session_id":"\(event.session)",\
        "props":\(event.props)}
        """
    }
    let list = events.joined(separator: ",")
    return Array(#"{"client":\#(Self.client),"events":[\#(list)]}"#.utf8)
  }

  private struct Event {
    var id: String
    var sequence: Int
    var name: String
    var ts: Int64
    var device: String
    var user: String
    var session: String
    var props: String
  }

  private mutating func event(person: Int) -> Event {
    number += 1
    if number.isMultiple(of: Self.eventsPerMs) { nowMs += 1 }
    return Event(
      id: uuid(),
      sequence: number,
      name: Self.names[number % Self.names.count],
      ts: nowMs,
      device: "8f14e45f-ceea-467f-9d3b-\(100_000_000_000 + person)",
      user: person.isMultiple(of: 3) ? "" : "user-\(person)",
      session: "\(nowMs / 600_000)",
      props: """
        {"title":"Here Comes the Sun","duration_s":\(number % 400),"genres":["rock","pop"],\
        "screen":"\(Self.screens[number % Self.screens.count])","price":\(number % 100).99}
        """
    )
  }

  private mutating func uuid() -> String {
    let time = Self.hex(UInt64(nowMs), 12)
    let (a, b) = (random.next(), random.next())
    return "\(time.prefix(8))-\(time.suffix(4))-7\(Self.hex(a & 0xfff, 3))"
      + "-a\(Self.hex(a >> 52, 3))-\(Self.hex(b & 0xffff_ffff_ffff, 12))"
  }

  private static func hex(_ value: UInt64, _ digits: Int) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }

  private static let names = [
    "Song Played", "Song Skipped", "Playlist Opened", "Search", "App Opened", "Purchase",
  ]
  private static let screens = ["home", "search", "library", "player", "settings"]
  private static let client = """
    {"library":"footfall-swift/1.0.0","platform":"iOS","os":"iOS 19.1","model":"iPhone17,2",\
    "app":"4.2.0","build":"881","locale":"en_GB"}
    """
}
