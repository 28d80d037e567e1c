import FootfallCore
import FootfallSystem
import Foundation

extension Benchmark {
  /// One event to bytes, against Foundation's encoder.
  static let encode = Benchmark(
    name: "encode",
    summary: "one event with 5 properties to JSON, against JSONEncoder"
  ) {
    let ours = EncodeBench.footfall()
    let theirs = try EncodeBench.foundation()
    return [
      Measurement(name: "encode", value: ours, unit: "ns", reference: theirs)
    ]
  }
}

enum EncodeBench {
  private static let rounds = 30
  private static let properties: Properties = [
    "title": "Here Comes the Sun", "duration_s": 185, "price": 9.99, "gift": false,
    "genre": "rock",
  ]

  /// Nanoseconds for one event by Footfall's encoder, the median of rounds.
  static func footfall() -> Double {
    let encoder = EventEncoder()
    let identity = EventIdentity(
      deviceID: "8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60",
      userID: "user-12345"
    )
    let event = Event(
      name: "Song Played",
      properties: properties,
      id: EventID(milliseconds: 1_764_581_400_123, counter: 0, random: 7),
      milliseconds: 1_764_581_400_123
    )
    var buffer = JSONBuffer()
    var losses = DropCounts()
    return (0..<rounds).map { _ in
      let calls = 20_000
      let start = MonotonicTime.now()
      for number in 0..<calls {
        buffer.truncate()
        _ = encoder.encode(
          event,
          sequence: Int64(number),
          identity: identity,
          into: &buffer,
          losses: &losses
        )
      }
      return MonotonicTime.now().seconds(since: start) * 1e9 / Double(calls)
    }.median
  }

  /// Nanoseconds for the same event by `JSONEncoder`, the median of rounds.
  static func foundation() throws -> Double {
    let encoder = JSONEncoder()
    let event = CodableEvent(seq: 41)
    return try (0..<rounds).map { _ in
      let calls = 500
      let start = MonotonicTime.now()
      for _ in 0..<calls { _ = try encoder.encode(event) }
      return MonotonicTime.now().seconds(since: start) * 1e9 / Double(calls)
    }.median
  }
}

/// The same event the way `Codable` has it.
private struct CodableEvent: Encodable {
  enum Value: Encodable {
    case string(String)
    case integer(Int)
    case double(Double)
    case boolean(Bool)

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      switch self {
      case .string(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .double(let value): try container.encode(value)
      case .boolean(let value): try container.encode(value)
      }
    }
  }

  var id = "0197a1b2-c3d4-7001-8000-000000000002"
  var seq: Int
  var name = "Song Played"
  var ts: Int64 = 1_764_581_400_123
  var device_id = "8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60"
  var user_id = "user-12345"
  var props: [String: Value] = [
    "title": .string("Here Comes the Sun"), "duration_s": .integer(185), "price": .double(9.99),
    "gift": .boolean(false), "genre": .string("rock"),
  ]

  init(seq: Int) {
    self.seq = seq
  }
}
