import FootfallCore
import Foundation

extension Benchmark {
  /// One event to bytes, against Foundation's encoder.
  static let encode = Benchmark(
    name: "encode",
    summary: "one event with 5 properties to JSON, against JSONEncoder"
  ) {
    let (ours, theirs) = try EncodeBench.interleaved()
    return [
      Measurement(name: "encode", value: ours, unit: "ns", reference: theirs)
    ]
  }
}

enum EncodeBench {
  private static let rounds = 60
  private static let properties: Properties = [
    "title": "Here Comes the Sun", "duration_s": 185, "price": 9.99, "gift": false,
    "genre": "rock",
  ]

  /// Nanoseconds of CPU for one event by Footfall's encoder and by Foundation's, in turn, since the
  /// machine's speed drifts; the medians.
  static func interleaved() throws -> (footfall: Double, foundation: Double) {
    var footfall: [Double] = []
    var foundation: [Double] = []
    for _ in 0..<rounds {
      footfall.append(footfallRound())
      foundation.append(try foundationRound())
    }
    return (footfall.median, foundation.median)
  }

  private static func footfallRound() -> Double {
    let encoder = EventEncoder()
    let identity = EventIdentity(
      deviceID: "8f14e45f-ceea-467f-a0e6-1b2c3d4e5f60",
      userID: "user-12345"
    )
    var event = Event(
      "Song Played",
      properties,
      identifier: .made(EventID(milliseconds: 1_764_581_400_123, counter: 0, random: 7)),
      milliseconds: 1_764_581_400_123,
      deviceID: identity.deviceID,
      userID: identity.userID
    )
    var buffer = JSONBuffer()
    var losses = DropCounts()
    let calls = 4_000
    let start = TrackBench.threadCPU()
    for number in 0..<calls {
      buffer.truncate()
      event.sequence = Int64(number)
      _ = encoder.encode(
        event,
        into: &buffer,
        losses: &losses
      )
    }
    return Double(TrackBench.threadCPU() - start) / Double(calls)
  }

  private static func foundationRound() throws -> Double {
    let encoder = JSONEncoder()
    let event = CodableEvent(seq: 41)
    let calls = 400
    let start = TrackBench.threadCPU()
    for _ in 0..<calls { _ = try encoder.encode(event) }
    return Double(TrackBench.threadCPU() - start) / Double(calls)
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
