import EventRecord
import Foundation
import Testing

@testable import Wire

@Suite struct `Bodies of Pinpoint's clients` {
  private static let body =
    #"{"BatchItem":{"e\u00311":{"Endpoint":{"Address":"t","Attributes":{"a":["b","c"]},"Metrics":{"m":1.5},"Demographic":{"Make":"x"},"User":{"UserId":"u","UserAttributes":{"p":[]}}},"Events":{"ev1":{"EventType":"play","Timestamp":"2025-12-01T09:30:00.000Z","Attributes":{"k\n":"v","k":"w"},"Metrics":{"k":1,"z":-2e3},"Session":{"Id":"s"},"AppVersionCode":"4","SdkName":"n"},"ev2":{"EventType":"z","Timestamp":"z"}}}}}"#

  @Test func `every prefix is refused as a whole`() throws {
    let body = Array(Self.body.utf8)
    for length in 0..<body.count {
      let decoded = try Decoded.pinpoint(Array(body[..<length]))
      #expect(decoded.status == 400, "\(length) bytes")
      #expect(decoded.acceptance == nil)
    }
    let whole = try Decoded.pinpoint(body)
    #expect(whole.status == 202)
    #expect(whole.events.map(\.kind) == [.identify, .event])
    #expect(whole.events.map(\.deviceID) == ["e11", "e11"])
    #expect(whole.answer.contains(#""e\u00311":{"#))
  }

  @Test func `whatever is changed in a body, what is let through is sound`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("Seed of the changed bodies: \(seed)")
    var random = SeededNumbers(seed: seed)
    let scratch = WireScratch()
    let signs = Array("{}[]\",:\\0\u{0}aeu-1. \u{7f}".utf8) + [0xc3, 0xff, 0xed]
    for _ in 0..<4_000 {
      var body = Array(Self.body.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<body.count, using: &random)
        let sign = signs[Int.random(in: 0..<signs.count, using: &random)]
        switch Int.random(in: 0..<3, using: &random) {
        case 0: body[place] = sign
        case 1: body.insert(sign, at: place)
        default: body.remove(at: place)
        }
      }
      let decoded = try Decoded.pinpoint(body, scratch: scratch)
      guard decoded.status == 202 else { continue }
      #expect(throws: Never.self, "\(String(decoding: body, as: UTF8.self))") {
        _ = try JSONSerialization.jsonObject(with: Data(decoded.answer.utf8))
        for event in decoded.events {
          for text in [event.properties, event.operations, event.context] where !text.isEmpty {
            _ = try JSONSerialization.jsonObject(with: Data(text.utf8))
          }
        }
      }
    }
  }

  @Test func `an endpoint's words are written as they are read`() throws {
    let json =
      #"{"Address":"a","Attributes":{"a":["b","\""],"c":[]},"Demographic":{"Make":"x"},"Location":{"City":"Köln","Latitude":50.93},"Metrics":{"m":1.50},"User":{"UserAttributes":{"p":["q"]},"UserId":"u"}}"#
    let update = try Array(json.utf8).withUnsafeBytes { try PinpointEndpointUpdate($0) }
    #expect(update.json == json)
    #expect(try PinpointEndpointUpdate(stored: json) == update)
    #expect(PinpointEndpointUpdate().json == "{}")
  }

  @Test func `what boto3 says of endpoints is read as it was meant`() throws {
    let one = try Fixtures.request("pinpoint/boto3-1.44.8-update-endpoint.json")
    let update = try one.withUnsafeBytes { try PinpointEndpointUpdate($0) }
    #expect(
      update.json
        == #"{"Address":"ann@example.com","ChannelType":"EMAIL","Location":{"City":"Bonn","Latitude":50.7},"User":{"UserId":"a+b@example.com"}}"#
    )
    let batch = try Fixtures.request("pinpoint/boto3-1.44.8-update-endpoints-batch.json")
    let items = try batch.withUnsafeBytes { try PinpointEndpointUpdate.batch($0) }
    #expect(items.map(\.id) == ["e0", "e1", "e2"])
    #expect(items.allSatisfy { $0.update.userID == "a+b@example.com" })
  }
}
