import Footfall
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `What an event carries` {
  let world = World()

  private func body(of client: FootfallClient) async throws -> String {
    await client.flush()
    return String(decoding: try #require(world.transport.requests.last).body, as: UTF8.self)
  }

  // SDL-135
  @Test func `texts, whole numbers and truth values are what they are`() async throws {
    let client = try world.client()
    client.track("export_finished", ["format": "png", "duration_ms": 412, "is_pro": true])
    let body = try await body(of: client)
    #expect(body.contains(#""props":{"format":"png","duration_ms":412,"is_pro":true}"#))
  }

  // SDL-136
  @Test func `an untyped dictionary gives what can be converted`() async throws {
    let client = try world.client()
    let parameters: [String: Any] = ["a": "x", "b": 1, "c": 1.5, "d": true, "e": Date(), "f": [1]]
    client.track("imported", Properties(parameters.compactMapValues(PropertyValue.init(bridging:))))
    let body = try await body(of: client)
    #expect(body.contains(#""props":{"a":"x","b":1,"c":1.5,"d":true}"#))
  }

  @Test func `values arrive exactly, nested as deep as they are`() async throws {
    let client = try world.client()
    client.track(
      "all",
      [
        "nested": [[["a": ["b": 1]]]], "exact": 9_007_199_254_740_993, "yes": true,
        "decimal": PropertyValue(Decimal(string: "12.34") ?? 0), "unsigned": PropertyValue(UInt(7)),
        "at": PropertyValue(Date(timeIntervalSince1970: 0)), "list": [[1]], "none": nil,
      ]
    )
    let body = try await body(of: client)
    #expect(
      body.contains(
        #""props":{"nested":[[{"a":{"b":1}}]],"exact":9007199254740993,"yes":true,"decimal":12.34,"#
          + #""unsigned":7,"at":"1970-01-01T00:00:00.000Z","list":[[1]],"none":null}"#
      )
    )
  }

  @Test func `an event says only what is not as the client says`() async throws {
    let client = try world.client()
    client.track("a")
    client.track("b", [:], EventOptions(context: [.appVersion: "4.1.0", .platform: nil]))
    client.track("c")
    let body = try await body(of: client)
    #expect(body.contains(#""name":"b","context":{"app":"4.1.0","platform":null}}"#))
    #expect(body.components(separatedBy: "context").count == 2)
  }
}
