import Footfall
import FootfallPhase
import FootfallSimpleDataLogs
import FootfallTesting
import Foundation
import SwiftUI
import Testing

/// Views of apps, on a fake of SwiftUI; each in a process of its own, as an app is.
@Suite(.timeLimit(.minutes(5))) struct `Views` {
  // MARK: SimpleDataLogs

  struct Preferences: View {
    var body: some View {
      VStack {
        Text("Preferences")
      }
      .trackScreenView("Preferences")
    }
  }

  @Test func `SDL-109, SDL-142: a view that appears twice is two screens`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let sample = try Surroundings(.status(202))
      SimpleDataLogs.configure(
        ingestKey: "sdl_pub_sample",
        endpoint: try #require(URL(string: sample.address)),
        autocapture: [.appLaunches]
      )
      let view = Preferences()
      FakeSwiftUI.appear(view)
      FakeSwiftUI.disappear(view)
      FakeSwiftUI.appear(view)
      await SimpleDataLogs.flush()
      let text = sample.bodies.joined()
      #expect(FakeSwiftUI.shown == ["Preferences", "Preferences"])
      #expect(text.components(separatedBy: #""name":"screen_view""#).count == 3)
      #expect(text.components(separatedBy: #""screen":"Preferences""#).count == 3)
      try sample.end()
    }
  }

  // MARK: Phase

  struct Garden: View {
    var body: some View {
      Text("Hello, garden!")
        .onAppear {
          Task {
            await PhaseSDK.shared.identify()
          }
        }
    }
  }

  struct GardenApp: App {
    var body: some Scene {
      WindowGroup {
        Phase(apiKey: "phase_sample") {
          Text("Hello, garden!")
        }
      }
    }
  }

  /// Waits until a view's own task has started the SDK, not only chosen how.
  @MainActor static func initialised() async {
    while PhaseSDK.shared.footfall.diagnostics.destinations["main"]?.isReady != true,
      !Task.isCancelled
    {
      await Task.yield()
    }
    await PhaseSDK.shared.footfall.settle()
  }

  @Test func `PHA-87: an app initialises when its content appears, and sends nothing`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let sample = try Surroundings(.status(200))
      #expect(PhaseSDK.shared.config == nil)
      FakeSwiftUI.appear(GardenApp().body)
      await Self.initialised()
      #expect(PhaseSDK.shared.config?.apiKey == "phase_sample")
      #expect(FakeSwiftUI.shown == ["Hello, garden!"])
      let main = PhaseSDK.shared.footfall.diagnostics.destinations["main"]
      #expect(main?.requests == 0)
      try sample.end()
    }
  }

  @Test func `PHA-58: content that appears three times initialises once`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      @MainActor in
      let sample = try Surroundings(.status(200))
      let view = Phase(apiKey: "phase_sample", baseURL: sample.address, logLevel: .info) {
        Text("content")
      }
      for _ in 0..<3 { FakeSwiftUI.appear(view) }
      await Self.initialised()
      #expect(FakeSwiftUI.shown == ["content", "content", "content"])
      #expect(sample.bodies.isEmpty)
      try sample.end()
    }
    let said = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
    #expect(!said.contains("initialised already"))
  }

  @Test func `PHA-58: without a key the content is shown, with a line and no request`() async throws
  {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      @MainActor in
      let sample = try Surroundings(.status(200))
      let view = Phase(apiKey: "abc", baseURL: sample.address, logLevel: .error) { Text("content") }
      for _ in 0..<3 { FakeSwiftUI.appear(view) }
      // The view's own task is before this one.
      for _ in 0..<1_000 { await Task.yield() }
      #expect(FakeSwiftUI.shown == ["content", "content", "content"])
      #expect(PhaseSDK.shared.config == nil && sample.bodies.isEmpty)
      try sample.end()
    }
    let lines = String(decoding: try #require(result).standardOutputContent, as: UTF8.self)
      .split(separator: "\n").filter { $0.hasPrefix("[Phase]") }
    #expect(lines.count == 1 && lines[0].contains("phase_"))
  }

  @Test
  func `PHA-88: content that identifies when it appears is one session, and a device each time`()
    async
  {
    await #expect(processExitsWith: .success) { @MainActor in
      let sample = try Surroundings(phase: ())
      let view = Phase(apiKey: "phase_sample", baseURL: sample.address) { Garden() }
      FakeSwiftUI.appear(view)
      await Self.initialised()
      await sample.until { $0.count { $0 == "device" } >= 1 && $0.contains("session") }
      #expect(sample.types == ["device", "session"])
      FakeSwiftUI.appear(view)
      await sample.until { $0.count { $0 == "device" } >= 2 }
      #expect(sample.types == ["device", "session", "device"])
      try sample.end()
    }
  }

  struct Shed: View {
    let toolID: String

    var body: some View {
      VStack {
        Text("Shed")
        Text(toolID)
      }
      .phaseScreen("ShedView", params: ["tool_id": toolID])
    }
  }

  @Test func `PHA-22, PHA-75, PHA-92: a view shown, covered and shown again is two screens`() async
  {
    await #expect(processExitsWith: .success) { @MainActor in
      let sample = try Surroundings(phase: ())
      try await PhaseSDK.shared.initialize(apiKey: "phase_sample", baseURL: sample.address)
      await PhaseSDK.shared.identify()
      let view = Shed(toolID: "42")
      FakeSwiftUI.appear(view)
      FakeSwiftUI.disappear(view)
      FakeSwiftUI.appear(view)
      FakeSwiftUI.appear(Text("plain").phaseScreen("ShedView"))
      await PhaseSDK.shared.flush()
      let events = sample.payloads.filter { $0["name"] as? String == "/shed-view" }
      #expect(events.count == 3 && events.allSatisfy { $0["isScreen"] as? Bool == true })
      #expect(events.prefix(2).allSatisfy { $0["params"] as? NSDictionary == ["tool_id": "42"] })
      #expect(events.last?["params"] == nil)
      try sample.end()
    }
  }

  @Test func `PHA-77: a view's screen has its query cut, and dashes for what no name can have`()
    async
  {
    await #expect(processExitsWith: .success) { @MainActor in
      let sample = try Surroundings(phase: ())
      try await PhaseSDK.shared.initialize(apiKey: "phase_sample", baseURL: sample.address)
      await PhaseSDK.shared.identify()
      for name in ["/search?q=1", "user@home"] {
        FakeSwiftUI.appear(Text(name).phaseScreen(name))
        PhaseSDK.shared.trackScreen(name)
      }
      await PhaseSDK.shared.flush()
      let names = sample.payloads.compactMap { $0["name"] as? String }
      #expect(names == ["/search", "/search", "/user-home", "/user-home"])
      try sample.end()
    }
  }

  class GardenDelegate: UIResponder, UIApplicationDelegate {
    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
      Task {
        try await PhaseSDK.shared.initialize(apiKey: "phase_sample")
      }
      return true
    }
  }

  @Test func `PHA-95: a delegate initialises at the launch`() async {
    await #expect(processExitsWith: .success) { @MainActor in
      let sample = try Surroundings(.status(200))
      let delegate = GardenDelegate()
      #expect(
        delegate.application(UIApplication.shared, didFinishLaunchingWithOptions: nil)
      )
      await Self.initialised()
      #expect(PhaseSDK.shared.config?.apiKey == "phase_sample")
      try sample.end()
    }
  }
}

/// A server and a folder, for one app.
struct Surroundings {
  private let server: LoopbackServer
  private let folder: String

  /// A server that answers all the same.
  init(_ answer: LoopbackAnswer) throws {
    server = try LoopbackServer(answer)
    folder = Self.ownFolder()
  }

  /// A server that takes every item of Phase's.
  init(phase: Void) throws {
    server = try LoopbackServer { request in
      let results = Self.objects(request.body).enumerated().map {
        "{\"clientOrder\":\($0.offset),\"type\":\"x\",\"id\":\"x\"}"
      }
      return .status(
        200,
        "{\"processed\":\(results.count),\"failed\":0,"
          + "\"results\":[\(results.joined(separator: ","))],\"errors\":[]}"
      )
    }
    folder = Self.ownFolder()
  }

  private static func ownFolder() -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/footfall-view-\(getpid())"
    setenv("XDG_STATE_HOME", folder, 1)
    return folder
  }

  var address: String { server.url("") }

  /// The bodies of all requests.
  var bodies: [String] { server.requests.map { String(decoding: $0.body, as: UTF8.self) } }

  /// The types of all items.
  var types: [String] { items.compactMap { $0["type"] as? String } }

  /// The payloads of all items.
  var payloads: [[String: Any]] { items.compactMap { $0["payload"] as? [String: Any] } }

  private var items: [[String: Any]] { server.requests.flatMap { Self.objects($0.body) } }

  private static func objects(_ body: [UInt8]) -> [[String: Any]] {
    do {
      let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      return object?["items"] as? [[String: Any]] ?? []
    } catch {
      return []
    }
  }

  /// Waits until the items are of the types that a test expects; the suite's limit ends a wait in vain.
  @MainActor func until(_ isReached: ([String]) -> Bool) async {
    while !isReached(types), !Task.isCancelled {
      await PhaseSDK.shared.flush()
      await Task.yield()
    }
  }

  /// Stops the server and takes the folder away, in which the SDK may still be writing.
  func end() throws {
    server.stop()
    for isLast in Array(repeating: false, count: 1_000) + [true] {
      guard FileManager.default.fileExists(atPath: folder) else { return }
      do { try FileManager.default.removeItem(atPath: folder) } catch  where !isLast { continue }
    }
  }
}
