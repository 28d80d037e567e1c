import EventRecord
import Foundation
import Testing

@testable import Wire

/// Numbers that a printed seed brings back.
struct SeededNumbers: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}

@Suite struct `Damaged bodies` {
  /// One per test, reused from body to body as in the server.
  private let scratch = WireScratch()

  @Test(arguments: Fixtures.native.filter { $0.hasSuffix(".json") })
  func `every prefix of a native body is unreadable`(name: String) throws {
    let body = try Fixtures.request(name)
    for length in 0..<body.count {
      let decoded = try decodeNative(Array(body[..<length]))
      #expect(decoded.status == 415, "\(length) bytes")
    }
  }

  @Test(arguments: Fixtures.amplitude)
  func `every prefix of an Amplitude body is refused`(name: String) throws {
    var body = try Fixtures.request(name)
    while body.last == UInt8(ascii: "\n") { body.removeLast() }
    for length in 0..<body.count {
      let decoded = try decodeAmplitude(Array(body[..<length]))
      #expect(decoded.status == 400, "\(length) bytes")
      #expect(decoded.acceptance == nil)
    }
  }

  @Test func `every prefix of lines is unreadable or a prefix of the events`() throws {
    let body = try Fixtures.request("native/lines.ndjson")
    let all = try decodeNative(body).events
    for length in 0..<body.count {
      let decoded = try decodeNative(Array(body[..<length]))
      #expect(decoded.status == 415 || Array(all.prefix(decoded.events.count)) == decoded.events)
    }
  }

  @Test func `whatever is changed in a body, what is let through is sound`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("Seed of the changed bodies: \(seed)")
    var random = SeededNumbers(seed: seed)
    let bodies = try (Fixtures.native + Fixtures.amplitude).map { ($0, try Fixtures.request($0)) }
    var accepted = 0
    for _ in 0..<4_000 {
      var (name, body) = bodies[Int.random(in: 0..<bodies.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) { change(&body, using: &random) }
      let decoded =
        name.hasPrefix("native/") ? try decodeNative(body) : try decodeAmplitude(body)
      #expect([200, 202, 400, 413, 415].contains(decoded.status))
      accepted += decoded.events.count
      if let unsound = unsoundText(of: decoded) {
        Issue.record("Seed \(seed): \(unsound) from \(String(decoding: body, as: UTF8.self))")
      }
    }
    #expect(accepted > 300)
  }

  // MARK: Changing

  /// Pieces that mean something to a reader of JSON.
  private static let pieces: [[UInt8]] =
    [
      "\"", "\\", "{", "}", "[", "]", ",", ":", "null", "true", "-", "0", "1e999", "1e-5",
      "18446744073709551616", "\\ud83c", "\\udfa7", "\\u0000", "\\\"", "\"a\":1,", "\"a\":{},",
      "\"id\":\"x\",", "\"events\":[", "\"client\":{", "\"$set\":{", "\u{e9}", "\u{1f3a7}", "\n",
      " ",
    ].map { Array($0.utf8) } + [[0xff], [0x80], [0xed, 0xa0, 0x80], [0], [0x1f]]

  private func change(_ body: inout [UInt8], using random: inout SeededNumbers) {
    guard !body.isEmpty else { return }
    let place = Int.random(in: 0..<body.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: body[place] = UInt8.random(in: 0...255, using: &random)
    case 1: body[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: body.remove(at: place)
    case 3:
      let end = min(body.count, place + Int.random(in: 1...40, using: &random))
      body.removeSubrange(place..<end)
    case 4:
      let end = min(body.count, place + Int.random(in: 1...60, using: &random))
      body.insert(
        contentsOf: Array(body[place..<end]),
        at: Int.random(in: 0...body.count, using: &random)
      )
    default:
      body.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
    }
  }

  // MARK: Judging

  /// The first text of the record that a store could not load, by a reader of JSON that is not ours.
  private func unsoundText(of decoded: Decoded) -> String? {
    if !isObject(Array(decoded.answer.utf8)) { return decoded.answer }
    if !decoded.client.isEmpty, !isObject(Array(decoded.client.utf8)) { return decoded.client }
    for event in decoded.events {
      for text in [event.properties, event.groups, event.operations, event.context]
      where !text.isEmpty && !isObject(Array(text.utf8)) { return text }
      for text in [event.id, event.name, event.deviceID, event.userID, event.sessionID]
      where text.utf8.contains(0) { return text }
      if event.name.isEmpty { return "an event without name" }
    }
    // Strings above were decoded with repair: the record itself must not have needed it.
    guard let record = decoded.acceptance?.record, !record.isEmpty else { return nil }
    return hasInvalidUTF8(record) ? "invalid UTF-8" : nil
  }

  private func isObject(_ text: [UInt8]) -> Bool {
    let value = try? JSONSerialization.jsonObject(with: Data(text))
    return value is [String: Any]
  }

  private func hasInvalidUTF8(_ record: [UInt8]) -> Bool {
    record.withUnsafeBytes { bytes in
      do {
        var reader = try RecordReader(bytes)
        while let view = try reader.next() {
          for text in [
            view.id, view.name, view.deviceID, view.userID, view.properties, view.context,
          ]
          where String(validating: text, as: UTF8.self) == nil { return true }
        }
        return false
      } catch {
        return true
      }
    }
  }

  private func decodeNative(_ body: [UInt8]) throws -> Decoded {
    var scratch = scratch
    let guarded = GuardedBytes(body)
    return try Decoded(
      NativeEvents.decode(
        guarded.bytes,
        contentType: nil,
        project: 7,
        context: WireContext(receivedAtMs: t0),
        scratch: &scratch
      )
    )
  }

  private func decodeAmplitude(_ body: [UInt8]) throws -> Decoded {
    var scratch = scratch
    let guarded = GuardedBytes(body)
    return try Decoded(
      AmplitudeHTTPV2.decode(
        guarded.bytes,
        project: { $0 == Decoded.apiKey ? 7 : nil },
        context: WireContext(receivedAtMs: t0),
        scratch: &scratch
      )
    )
  }
}
