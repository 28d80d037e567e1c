import EventRecord
import Foundation

/// Events of an app with 500 people: ids and times as an SDK makes them, no two ids alike.
struct BenchEvents {
  static let eventsPerRequest = 50
  /// What the events' own time gains per event, in events per millisecond.
  static let eventsPerMs = 10

  /// What of the events is more than something that happened.
  enum Kind {
    /// Every third person has no user; nobody signs in.
    case plain
    /// Devices start without a user and sign in after some hundred events; one event in twenty changes
    /// properties.
    case people
  }

  private(set) var number = 0
  private let kind: Kind
  private let textBytes: Int
  private var nowMs: Int64
  private var random = SystemRandomNumberGenerator()

  /// Begins.
  ///
  /// - Parameters:
  ///   - startMs: The first event's own time.
  ///   - kind: What the events are.
  ///   - textBytes: How long a text, of letters by chance, each event has in addition.
  init(startMs: Int64, kind: Kind = .plain, textBytes: Int = 0) {
    nowMs = startMs
    self.kind = kind
    self.textBytes = textBytes
  }

  /// A request's record as it lies in the ingest log.
  mutating func record() -> [UInt8] {
    let person = somebody()
    let header = RecordHeader(source: .native, project: 1, receivedAtMs: nowMs + 400)
    let events = (0..<Self.eventsPerRequest).map { _ in
      let event = event(person: person)
      return EventRecord(
        key: .native(project: 1, id: event.id),
        kind: event.operations.isEmpty ? .event : .identify,
        timestampMs: event.ts,
        sequence: Int64(event.sequence),
        id: event.id,
        name: event.name,
        deviceID: event.device,
        userID: event.user,
        sessionID: event.session,
        properties: event.operations.isEmpty ? event.props : "",
        operations: event.operations
      )
    }
    return RecordWriter.record(header, context: Self.client, events: events)
  }

  /// A request's body as JSON.
  mutating func json() -> [UInt8] {
    let person = somebody()
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
    var operations = ""
  }

  private mutating func event(person: Int) -> Event {
    number += 1
    if number.isMultiple(of: Self.eventsPerMs) { nowMs += 1 }
    var event = Event(
      id: uuid(),
      sequence: number,
      name: Self.names[number % Self.names.count],
      ts: nowMs,
      device: "8f14e45f-ceea-467f-9d3b-\(100_000_000_000 + person)",
      user: person.isMultiple(of: 3) ? "" : "user-\(person)",
      session: "\(nowMs / 600_000)",
      props: """
        {"title":"Here Comes the Sun","duration_s":\(number % 400),"genres":["rock","pop"],\
        "screen":"\(Self.screens[number % Self.screens.count])","price":\(number % 100).99\(text())}
        """
    )
    guard kind == .people else { return event }
    // A person is one of 500 at a time; each has about 500 events, the last two thirds signed in.
    event.user = number % 250_000 < 83_000 ? "" : "user-\(person)"
    if number.isMultiple(of: 20) {
      event.name = "$identify"
      event.operations = #"{"$set":{"plan":"\#(Self.screens[number % 5])"},"$add":{"logins":1}}"#
    }
    return event
  }

  /// Whose the next request is: one of 500 people, who are others after a while where people matter.
  private mutating func somebody() -> Int {
    let person = Int.random(in: 0..<500, using: &random)
    return kind == .plain ? person : person + number / 250_000 * 500
  }

  /// A property that does not compress; nothing unless asked for.
  private mutating func text() -> String {
    guard textBytes > 0 else { return "" }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(textBytes)
    while bytes.count < textBytes {
      var word = random.next()
      for _ in 0..<10 {
        bytes.append(UInt8(ascii: "0") + UInt8(word & 63))
        word >>= 6
      }
    }
    return ",\"text\":\"" + String(decoding: bytes, as: UTF8.self).replacing("\\", with: "/") + "\""
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
