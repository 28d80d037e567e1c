import Catalog
import EventStore
import FootfallSimpleDataLogs
import Foundation
import ServerApp
import Testing

/// Apps that call the SDK by SimpleDataLogs' names, against the server.
///
/// Each in a process of its own, as the SDK is that of the whole process.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `Apps by SimpleDataLogs' names` {
  private static let key = "sdl_pub_bakery"

  /// A server that knows the key, and a folder of its own for the app's files.
  private static func server() throws -> TestServer {
    let server = try TestServer()
    _ = try server.server.catalog.adoptKey(
      project: server.project,
      kind: .simpledatalogs,
      value: key
    )
    setenv("XDG_STATE_HOME", server.folder + "/state", 1)
    return server
  }

  @Test func `every kind of call arrives once, in order, with its own id and time`() async {
    await #expect(processExitsWith: .success) {
      let server = try Self.server()
      defer { server.stop() }
      let id = try #require(UUID(uuidString: "0F0B7C9E-5A1D-4C2E-9D3F-00000000BEAD"))
      let yesterday = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - 86_400).rounded())
      SimpleDataLogs.setDeviceID("oven-1")
      SimpleDataLogs.setDefaultProperties(["shop": "corner", "kind": "any"])
      // Before the SDK is set up: it waits.
      SimpleDataLogs.track("door_opened")
      SimpleDataLogs.configure(ingestKey: Self.key, endpoint: try server.url)
      SimpleDataLogs.track("bread_baked", properties: ["kind": "spelt"], at: yesterday, eventID: id)
      SimpleDataLogs.track("bread_baked", properties: ["kind": "spelt"], at: yesterday, eventID: id)
      SimpleDataLogs.trackScreen("Counter")
      SimpleDataLogs.track("bread_sold", properties: ["grams": 750, "is_sliced": false])
      await SimpleDataLogs.flush()

      let events = try server.tracked(4)
      #expect(
        events.map(\.name).sorted() == ["bread_baked", "bread_sold", "door_opened", "screen_view"]
      )
      #expect(events.allSatisfy { $0.deviceID == "oven-1" })
      let baked = try #require(events.first { $0.name == "bread_baked" })
      #expect(baked.id.lowercased() == id.uuidString.lowercased())
      #expect(baked.timestampMs == Int64(yesterday.timeIntervalSince1970 * 1_000))
      #expect(try Self.properties(baked) == ["kind": "spelt", "shop": "corner"])
      let screen = try #require(events.first { $0.name == "screen_view" })
      #expect(try Self.properties(screen)["screen"] == "Counter")
      let sold = try #require(events.first { $0.name == "bread_sold" })
      #expect(
        try Self.properties(sold)
          == ["grams": "750", "is_sliced": "false", "kind": "any", "shop": "corner"]
      )
    }
  }

  @Test func `a session and the launch are told, and nothing after the app said no`() async {
    await #expect(processExitsWith: .success) {
      let server = try Self.server()
      defer { server.stop() }
      SimpleDataLogs.configure(
        ingestKey: Self.key,
        endpoint: try server.url,
        autocapture: [.appLaunches, .sessions]
      )
      SimpleDataLogs.track("bread_sold")
      await SimpleDataLogs.flush()
      let before = try server.tracked(3)
      #expect(Set(before.map(\.name)).isSuperset(of: ["app_launched", "bread_sold"]))
      SimpleDataLogs.disable()
      SimpleDataLogs.track("bread_burnt")
      await SimpleDataLogs.flush()
      // A request of the server's own shows that all before it is loaded.
      let (status, _) = try server.post(
        "/v1/events",
        #"{"events":[{"id":"after-1","name":"After","ts":1764581400,"device_id":"d"}]}"#,
        headers: ["Authorization": "Bearer \(server.key)", "Content-Type": "application/json"]
      )
      #expect(status == 202)
      let names = try server.tracked(before.count + 1).map(\.name)
      #expect(names.contains("After") && !names.contains("bread_burnt"))
    }
  }

  /// An event's properties, each as text.
  private static func properties(_ event: StoredEvent) throws -> [String: String] {
    let object = try JSONSerialization.jsonObject(with: Data(event.properties.utf8))
    return (object as? [String: Any] ?? [:]).mapValues { value in
      if let number = value as? NSNumber, String(cString: number.objCType) == "c" {
        return number.boolValue ? "true" : "false"
      }
      return "\(value)"
    }
  }
}
