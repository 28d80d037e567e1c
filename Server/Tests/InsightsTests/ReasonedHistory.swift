import EventRecord
import EventStore
import Foundation

/// The events of `Fixtures/insights`, of which its README says what happened.
enum ReasonedHistory {
  /// As they were sent: the first one three times.
  static func sent() throws -> [StoredEvent] {
    let file =
      #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/Fixtures/insights/events.ndjson"
    return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      try event(JSONDecoder().decode(Line.self, from: Data($0.utf8)), String($0))
    }
  }

  /// Each once.
  static func counted() throws -> [StoredEvent] {
    var seen: Set<EventKey> = []
    return try sent().filter { seen.insert($0.key).inserted }
  }

  private struct Line: Decodable {
    let key: UInt64
    let seq: Int64
    let name: String
    let ts: Int64
    let device_id: String
    let user_id: String?
    let session_id: String?
    let received_at: Int64?
    let corrected_at: Int64?
    let test: Bool?
    let project: UInt32?
  }

  private static func event(_ line: Line, _ text: String) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 0, low: line.key),
      project: line.project ?? 1,
      isTest: line.test ?? false,
      name: line.name,
      timestampMs: line.ts,
      correctedMs: line.corrected_at,
      receivedMs: line.received_at,
      sequence: line.seq,
      deviceID: line.device_id,
      userID: line.user_id ?? "",
      sessionID: line.session_id ?? "",
      properties: object("props", in: text),
      client: object("client", in: text)
    )
  }

  /// The flat object that a member is, as it stands there; empty without one.
  private static func object(_ member: String, in text: String) -> String {
    guard let start = text.range(of: "\"\(member)\":{"),
      let end = text.range(of: "}", range: start.upperBound..<text.endIndex)
    else { return "" }
    return "{" + text[start.upperBound..<end.upperBound]
  }
}
