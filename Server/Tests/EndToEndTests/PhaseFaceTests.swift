import Catalog
import EventStore
import FootfallPhase
import Foundation
import ServerApp
import Testing

/// Apps that call the SDK by Phase's names, against the server.
///
/// Each in a process of its own, as the SDK is that of the whole process.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `Apps by Phase's names` {
  private static let key = "phase_greenhouse"

  /// A server that knows the key, and an app that was started with it.
  private static func started() async throws -> TestServer {
    let server = try TestServer()
    _ = try server.server.catalog.adoptKey(project: server.project, kind: .phase, value: key)
    setenv("XDG_STATE_HOME", server.folder + "/state", 1)
    try await PhaseSDK.shared.initialize(
      apiKey: key,
      baseURL: server.server.localAddress,
      deviceInfo: false
    )
    return server
  }

  @Test func `every kind of call arrives, in order, for one device and one session`() async {
    await #expect(processExitsWith: .success) {
      let server = try await Self.started()
      defer { server.stop() }
      await PhaseSDK.shared.identify(["plan": "premium", "beds": 4, "is_heated": true])
      track("plants_watered", ["litres": 12.5, "bed": "tomatoes"])
      trackScreen("TomatoBedView")
      PhaseSDK.shared.track("window_opened", params: ["degrees": 30])
      PhaseSDK.shared.trackScreen("/herbs?from=home", params: ["bed_id": "7"])
      await PhaseSDK.shared.flush()

      let names = ["plants_watered", "/tomato-bed-view", "window_opened", "/herbs"]
      let all = try server.events(names.count) { names.contains($0.name) }
      #expect(all.map(\.name) == names)
      #expect(Set(all.map(\.deviceID)).count == 1 && !all[0].deviceID.isEmpty)
      #expect(Set(all.map(\.sessionID)).count == 1 && !all[0].sessionID.isEmpty)
      let watered = try Self.object(all[0].properties)
      #expect(watered["litres"] as? Double == 12.5 && watered["bed"] as? String == "tomatoes")
      #expect(try Self.object(all[3].properties)["bed_id"] as? String == "7")
      // What is known of the device came before any of it.
      let operations = try server.events(1) { $0.operations.contains("premium") }
      #expect(operations.first?.deviceID == all[0].deviceID)
    }
  }

  @Test func `after a reset events are another device's`() async {
    await #expect(processExitsWith: .success) {
      let server = try await Self.started()
      defer { server.stop() }
      await PhaseSDK.shared.identify()
      track("door_opened")
      await PhaseSDK.shared.flush()
      await PhaseSDK.shared.reset()
      await PhaseSDK.shared.identify()
      track("door_closed")
      await PhaseSDK.shared.flush()
      let events = try server.events(2) { $0.name.hasPrefix("door_") }
      #expect(events.map(\.name) == ["door_opened", "door_closed"])
      #expect(Set(events.map(\.deviceID)).count == 2)
      #expect(Set(events.map(\.sessionID)).count == 2)
    }
  }

  private static func object(_ text: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }
}
