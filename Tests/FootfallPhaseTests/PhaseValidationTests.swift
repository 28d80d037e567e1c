import Footfall
import FootfallCore
import FootfallEngine
import FootfallPhase
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Phase: what is refused` {
  let world = PhaseWorld()

  /// The names of the events that were sent.
  private var sent: [String] { world.items.filter { $0.type == "event" }.map(\.name) }

  private func text(_ length: Int) -> String { String(repeating: "a", count: length) }

  @Test func `PHA-17: names have 1 to 256 plain characters`() async {
    let client = await world.identified()
    let good = ["a", text(256), "user.signup", "payment/success", "Button Clicked"]
    let bad = ["", text(257), "a:b", "naïve", "x\n"]
    for name in good + bad { client.sdk.track(name) }
    await client.flush()
    #expect(sent == good)
    #expect(client.numbers?.dropped.byReason == [.invalid: 5])
    for problem in ["no name", "longer than 256", "characters other than"] {
      #expect(world.lines(with: problem) == (problem == "characters other than" ? 3 : 1))
    }
  }

  @Test(arguments: [
    ("32 params", 32, 1, "v", true), ("33 params", 33, 1, "v", false),
    ("a key of 32", 1, 32, "v", true), ("a key of 33", 1, 33, "v", false),
    ("a text of 256", 1, 1, String(repeating: "v", count: 256), true),
    ("a text of 257", 1, 1, String(repeating: "v", count: 257), false),
    ("128 pairs", 1, 1, String(repeating: "😀", count: 128), true),
    ("129 pairs", 1, 1, String(repeating: "😀", count: 129), false),
  ])
  func `PHA-18: params have limits`(
    what: String,
    count: Int,
    keyLength: Int,
    value: String,
    isSent: Bool
  ) async {
    let client = await world.identified()
    let keys = (0..<count).map { number in
      count == 1 ? String(repeating: "k", count: keyLength) : "k\(number)"
    }
    client.sdk.track(
      "e",
      params: EventParams(Dictionary(uniqueKeysWithValues: keys.map { ($0, value) }))
    )
    await client.flush()
    #expect(sent == (isSent ? ["e"] : []), "\(what)")
    #expect(world.lines(with: "An event was dropped") == (isSent ? 0 : 1))
    #expect(client.numbers?.dropped.byReason == (isSent ? [:] : [.invalid: 1]))
  }

  @Test(arguments: [(8_192, true), (8_193, false)])
  func `PHA-19: the JSON of params has 8,192 bytes at most`(bytes: Int, isSent: Bool) async throws {
    let client = await world.identified()
    // 31 of 256 characters, each with `"k00":"",` around, and one that fills up.
    var params = Dictionary(
      uniqueKeysWithValues: (10..<41).map { ("k\($0)", text(249)) }
    )
    let soFar = 31 * (249 + 9)
    params["z"] = text(bytes - 2 - soFar - 6)
    let json = try JSONSerialization.data(withJSONObject: params)
    try #require(json.count == bytes)
    client.sdk.track("e", params: EventParams(params))
    await client.flush()
    #expect(sent == (isSent ? ["e"] : []))
    #expect(world.lines(with: "8192 bytes") == (isSent ? 0 : 1))
    #expect(client.numbers?.dropped.byReason == (isSent ? [:] : [.tooLarge: 1]))
  }

  @Test func `PHA-20: what is no number rejects the event; empty params are none`() async throws {
    let client = await world.identified()
    client.sdk.track("nan", params: ["a": Double.nan])
    client.sdk.track("empty", params: [:])
    await client.flush()
    #expect(sent == ["empty"])
    #expect(world.items.last?.keys.contains("params") == false)
    #expect(client.numbers?.dropped.byReason == [.invalid: 1])
  }

  @Test func `PHA-21: every kind of number is one, and an empty optional null`() async throws {
    let client = await world.identified()
    client.sdk.track(
      "e",
      params: [
        "a": Optional<Int>.none as Any, "b": Float(1.5), "c": Int64(7), "d": NSNumber(value: 1),
        "e": true,
      ]
    )
    await client.flush()
    let body = String(decoding: try #require(world.transport.requests.last).body, as: UTF8.self)
    #expect(body.contains(#""params":{"a":null,"b":1.5,"c":7,"d":1,"e":true}"#))
  }

  @Test func `PHA-73: a value that is neither text, number nor truth rejects the event`() async {
    let client = await world.identified()
    let values: [Any] = [[1], ["a": 1], Date(), Double.infinity, -Double.infinity]
    for (number, value) in values.enumerated() {
      client.sdk.track("bad\(number)", params: ["key\(number)": value])
      await client.settle()
      #expect(world.lines(with: "key\(number)") == 1)
    }
    client.sdk.track("good", params: ["a": 1])
    await client.flush()
    #expect(sent == ["good"])
    #expect(client.footfall.diagnostics.dropped.byReason == [.invalid: 5])
  }

  @Test func `PHA-74: no params are sent as none, however that is said`() async {
    let client = await world.identified()
    client.sdk.track("n")
    client.sdk.track("n", params: [:])
    client.sdk.track("n", params: nil)
    await client.flush()
    let events = world.items.filter { $0.type == "event" }
    #expect(events.count == 3 && Set(events.map(\.id)).count == 3)
    let rest = events.map { event in
      event.payload.filter { $0.key != "eventId" && $0.key != "timestamp" }
    }
    #expect(Set(rest).count == 1 && Set(events.map(\.keys)).count == 1)
    #expect(!events[0].keys.contains("params"))
  }

  @Test func `PHA-76: a screen's name is brought into form, an event's is not`() async {
    let client = await world.identified()
    client.sdk.trackScreen("ProfileView")
    client.sdk.track("ProfileView")
    await client.flush()
    #expect(sent == ["/profile-view", "ProfileView"])
    let flags = world.items.compactMap { $0.payload["isScreen"] }
    #expect(flags == ["1", "0"] || flags == ["true", "false"])
  }

  // The modifier that says the same is run where there are views: Tests/AdapterFakes.
  @Test func `PHA-77: a screen's query is cut, what a name cannot have is a dash`() async {
    let client = await world.identified()
    client.sdk.trackScreen("/search?q=1")
    client.sdk.trackScreen("user@home", params: ["user_id": "42"])
    await client.flush()
    #expect(sent == ["/search", "/user-home"])
    #expect(world.items.last?.inner == ["user_id": "42"])
  }

  @Test func `PHA-59: without identify nothing is sent`() async {
    let client = await world.started()
    client.track(5)
    for _ in 0..<60 { await world.pass(1, client) }
    #expect(world.transport.requests.isEmpty)
  }
}

#if os(Linux) || os(macOS)
@Suite(.timeLimit(.minutes(5))) struct `Phase: what is printed` {
  /// What a client prints, as its lines.
  private static func lines(_ output: [UInt8]) -> [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// One event that is refused.
  static func refused(_ config: PhaseConfig) async {
    let client = await PhaseWorld().started(config, log: { .phase($0) })
    await client.sdk.identify()
    client.sdk.track("a:b")
    await client.flush()
    client.footfall.shutdown(limitSeconds: 0)
  }

  @Test func `PHA-61: a level prints its own lines and those above, the default none`() async throws
  {
    let none = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      await Self.refused(PhaseConfig(apiKey: "phase_test"))
    }
    let silent = Self.lines(try #require(none).standardOutputContent)
    #expect(!silent.contains { $0.contains("[Phase]") })
    let warn = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      await Self.refused(PhaseConfig(apiKey: "phase_test", logLevel: .warn))
    }
    let said = Self.lines(try #require(warn).standardOutputContent)
    #expect(said.contains { $0.hasPrefix("[Phase] ") && $0.contains("name has characters") })
    #expect(said.allSatisfy { $0.hasPrefix("[Phase] ") })
    let levels = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      for level in [FootfallPhase.LogLevel.info, .warn, .error] {
        let logger = Logger.phase(level.threshold)
        logger.debug("\(level) prints a debug line")
        logger.info("\(level) prints an info line")
        logger.warning("\(level) prints a warning line")
        logger.error("\(level) prints an error line")
      }
    }
    #expect(
      Self.lines(try #require(levels).standardOutputContent) == [
        "[Phase] info prints an info line", "[Phase] info prints a warning line",
        "[Phase] info prints an error line", "[Phase] warn prints a warning line",
        "[Phase] warn prints an error line", "[Phase] error prints an error line",
      ]
    )
  }
}
#endif
