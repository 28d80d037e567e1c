import Foundation
import Testing
import Wire

@testable import EndpointStore

@Suite struct `Pinpoint's endpoints in a file` {
  private static let app = "0123456789abcdef0123456789abcdef"
  private static let now: Int64 = 1_793_611_815_000

  private func update(_ json: String) throws -> PinpointEndpointUpdate {
    try Array(json.utf8).withUnsafeBytes { try PinpointEndpointUpdate($0) }
  }

  @Test func `what was said outlives the process`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/endpoints-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    let path = folder + "/endpoints.sqlite"
    let said =
      #"{"Address":"t","Metrics":{"m":1.50},"User":{"UserId":"u","UserAttributes":{"a":["b"]}}}"#
    let before: PinpointEndpoint
    do {
      let store = try EndpointStore(path: path, nowMs: { Self.now })
      before = try #require(try store.update(app: Self.app, [("É-1", try update(said))]).first)
    }
    let store = try EndpointStore(path: path, nowMs: { Self.now + 1 })
    #expect(try store.endpoint(app: Self.app, id: "é-1") == before)
    // A copy of the file alone has it too, once the store is closed.
    let other = try store.update(app: Self.app, [("late", try update("{}"))])
    store.close()
    try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
    let copy = try EndpointStore(path: path + ".copy", nowMs: { Self.now })
    #expect(try copy.endpoint(app: Self.app, id: "é-1") == before)
    #expect(try copy.endpoint(app: Self.app, id: "late") == other.first)
    #expect(before.state.userAttributes == ["a": ["b"]])
    #expect(before.json.contains(#""CreationDate":"2026-11-02T09:30:15.000Z""#))
    #expect(before.json.contains(#""Metrics":{"m":1.50}"#))
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `an app that says the same again changes nothing, until something else does`() throws {
    let store = try EndpointStore(path: ":memory:", nowMs: { Self.now })
    func verdict(_ json: String, id: String = "e1") -> PinpointEvents.Verdict {
      Array(json.utf8).withUnsafeBytes {
        store.verdicts(app: Self.app, [PinpointEvents.Embedded(id: id, json: $0)])[0]
      }
    }
    let json =
      #"{"ChannelType":"APNS","Address":"t","User":{"UserId":"u"},"Demographic":{"AppVersion":"4"}}"#
    let first = verdict(json)
    #expect(first.change == (try update(json)))
    #expect((first.userID, first.appVersion) == ("u", "4"))
    #expect(String(decoding: first.context, as: UTF8.self) == #""ChannelType":"APNS","#)
    #expect(verdict(json).change == nil)
    #expect(verdict(json, id: "E1").deviceID == "e1")
    // Two ids that only read the same are two endpoints.
    #expect(verdict(json, id: "\u{e9}").change != nil)
    #expect(verdict(json, id: "e\u{301}").change != nil)
    #expect(verdict("{}").change != nil)
    #expect(verdict(json).change != nil)
    // Another endpoint takes the address: what this one says again makes it active again.
    _ = try store.update(
      app: Self.app,
      [("e2", try update(#"{"ChannelType":"APNS","Address":"t"}"#))]
    )
    #expect(try store.endpoint(app: Self.app, id: "e1")?.isActive == false)
    #expect(verdict(json).change != nil)
    #expect(try store.endpoint(app: Self.app, id: "e1")?.isActive == true)
    store.forget(app: Self.app, ids: ["E1"])
    #expect(verdict(json).change != nil)
    _ = try store.delete(app: Self.app, id: "e1")
    #expect(verdict(json).change != nil)
  }

  @Test func `what is wrong with an endpoint is told, and its user stays known`() throws {
    let store = try EndpointStore(path: ":memory:", nowMs: { Self.now })
    _ = try store.update(app: Self.app, [("E1", try update(#"{"User":{"UserId":"u"}}"#))])
    let verdict = Array(#"{"ChannelType":"FOO"}"#.utf8).withUnsafeBytes {
      store.verdicts(app: Self.app, [PinpointEvents.Embedded(id: "e1", json: $0)])[0]
    }
    #expect(verdict.refusal?.hasPrefix("ChannelType must be one of") == true)
    #expect((verdict.deviceID, verdict.userID) == ("E1", "u"))
    #expect(verdict.change == nil)
  }

  @Test func `one item that may not be taken leaves all as it was`() throws {
    let store = try EndpointStore(path: ":memory:", nowMs: { Self.now })
    let email = try update(#"{"ChannelType":"EMAIL","User":{"UserId":"u"}}"#)
    let items = (0..<16).map { ("e\($0)", email) }
    #expect(throws: EndpointProblem.self) { try store.update(app: Self.app, items) }
    #expect(try store.endpoints(app: Self.app, user: "u").isEmpty)
    try store.update(app: Self.app, Array(items.prefix(15)))
    #expect(try store.endpoints(app: Self.app, user: "u").count == 15)
  }

  @Test func `applications and users do not mix`() throws {
    let store = try EndpointStore(path: ":memory:", nowMs: { Self.now })
    let said = try update(#"{"ChannelType":"SMS","Address":"1","User":{"UserId":"u"}}"#)
    try store.update(app: Self.app, [("e", said)])
    try store.update(
      app: "other",
      [("e", said), ("f", try update(#"{"ChannelType":"EMAIL","Address":"1"}"#))]
    )
    #expect(try store.endpoints(app: Self.app, user: "u").map(\.isActive) == [true])
    #expect(try store.endpoints(app: Self.app, user: "").isEmpty)
    #expect(try store.delete(app: "other", user: "u").count == 1)
    #expect(try store.endpoint(app: Self.app, id: "e") != nil)
    #expect(throws: EndpointProblem.self) {
      try store.update(
        app: Self.app,
        [("g", try update(#"{"User":{"UserAttributes":{"a":["b"]}}}"#))]
      )
    }
  }

  @Test func `endpoints of one request are taken each by itself, and told in order`() throws {
    let store = try EndpointStore(path: ":memory:", nowMs: { Self.now })
    let user = Array(#"{"ChannelType":"SMS","User":{"UserId":"u"}}"#.utf8)
    let wrong = Array(#"{"OptOut":"MAYBE"}"#.utf8)
    func verdicts(_ ids: [String], _ json: [UInt8]) -> [PinpointEvents.Verdict] {
      json.withUnsafeBytes { bytes in
        wrong.withUnsafeBytes { wrong in
          store.verdicts(
            app: Self.app,
            ids.map { PinpointEvents.Embedded(id: $0, json: $0.hasPrefix("x") ? wrong : bytes) }
          )
        }
      }
    }
    let ids = (0..<16).map { "e\($0)" } + ["x1", "E3"]
    let found = verdicts(ids, user)
    #expect(found.map(\.deviceID) == ids.dropLast() + ["e3"])
    #expect(found.indices.filter { found[$0].refusal != nil } == [15, 16])
    #expect(found.filter { $0.change != nil }.count == 16)
    #expect(try store.endpoints(app: Self.app, user: "u").count == 15)
    // All of them again: the two that were refused are asked about again.
    #expect(verdicts(ids, user).map { $0.change != nil } == ids.map { _ in false })
  }

  @Test(
    arguments: [
      ("u", nil, ["c"]), (nil, "A", ["b", "c"]), ("u", "b", ["a", "c"]),
      ("u", "c", ["a", "b", "c"]),
      (nil, nil, ["a", "b", "c"]), ("none", nil, ["a", "b", "c"]),
    ] as [(String?, String?, [String])]
  )
  func `a person's endpoints can be taken away`(
    user: String?,
    device: String?,
    left: [String]
  ) throws {
    let store = try EndpointStore(path: ":memory:", nowMs: { Self.now })
    let said = try update(#"{"User":{"UserId":"u","UserAttributes":{"a":["b"]}}}"#)
    for app in [Self.app, "other"] {
      try store.update(app: app, [("a", said), ("b", said), ("c", try update("{}"))])
    }
    let erased = try store.erase(apps: [Self.app, "other"], user: user, device: device)
    #expect(erased == 2 * (3 - left.count))
    for app in [Self.app, "other"] {
      for id in ["a", "b", "c"] {
        #expect((try store.endpoint(app: app, id: id) != nil) == left.contains(id))
      }
    }
  }
}
