import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallPlatform

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: where things are stored` {
  let day = AmplitudeDay()
  let own = MemoryFiles()
  private static let held = "/client/held/"

  @Test(arguments: [
    ("iOS", "/Library/Application Support/Footfall/com.acme.app"),
    ("macOS", "/Library/Application Support/Footfall/com.acme.app"),
    ("tvOS", "/Library/Caches/Footfall/com.acme.app"),
    ("watchOS", "/Library/Application Support/Footfall/com.acme.app"),
  ])
  func `AMP-F13: files lie in the app's own library and stay out of backups`(
    platform: String,
    path: String
  ) async {
    let location = StorageLocation.onApple(
      platform: platform,
      appID: "com.acme.app",
      product: nil
    ) { $0 == .caches ? "/Library/Caches" : "/Library/Application Support" }
    #expect(location == StorageLocation(path: path))
    await day.start { $0.main.folder = location.path + "/client" }
    await day.track()
    await day.engine.settle()
    #expect(!day.files(with: "event_type").isEmpty)
    #expect(day.files.paths.allSatisfy { $0.hasPrefix(path + "/client/") })
    #expect(day.prepared.withLock { $0 } == [path + "/client"])
  }

  private func start(_ change: @escaping (inout DestinationSettings, MemoryFiles) -> Void) async {
    let own = own
    await day.start(.amplitude()) { change(&$0.main, own) }
  }

  private func identifyTwice() async {
    day.engine.track(.identify, [:], nil, .set("plan", "free"))
    day.engine.track(.identify, [:], nil, .set("plan", "pro"))
    await day.engine.settle()
  }

  @Test func `AMP-F14: what is stored lies in the store that was given, what is held does not`()
    async throws
  {
    day.answer = .fail(.offline(""))
    day.setClock(to: 1_000)
    await start { $0.files = $1 }
    day.engine.setIdentity(.setUser("user-1"))
    await day.track("a")
    await identifyTwice()
    #expect(day.engine.diagnostics.stored == 4)
    day.end()
    #expect(day.files.paths.allSatisfy { $0.hasPrefix(Self.held) })
    #expect(!day.files(with: "plan").isEmpty)
    #expect(!own.paths.isEmpty && !own.paths.contains { $0.hasPrefix(Self.held) })
    #expect(day.prepared.withLock { $0 } == ["/client/held"])
    day.answer = AmplitudeWorld.ok
    await start { $0.files = $1 }
    await day.track("b", at: 1_010)
    let events = try await day.events()
    #expect(events.map(\.name) == ["session_start", "a", "$identify", "b"])
    #expect(events.map { $0["user_id"] } == Array(repeating: "user-1", count: 4))
    #expect(events.map { $0["event_id"] } == ["1", "2", "3", "5"])
    #expect(Set(events.map { $0["session_id"] }) == ["1000"])
    #expect(events[2]["user_properties"] == #"{"$set":{"plan":"pro"}}"#)
    #expect(day.files.paths.allSatisfy { $0.hasPrefix(Self.held) })
  }

  @Test func `AMP-F15: what is held lies in the store that was given for it, what is merged not`()
    async throws
  {
    day.answer = .fail(.offline(""))
    await start { $0.heldFiles = $1 }
    await identifyTwice()
    #expect(own.paths.allSatisfy { $0.hasPrefix(Self.held) } && !own.paths.isEmpty)
    #expect(!day.files.paths.contains { $0.hasPrefix(Self.held) })
    #expect(day.files(with: "\"plan\"").isEmpty)
    _ = await day.engine.flush()
    #expect(!day.files(with: #"{"$set":{"plan":"pro"}}"#).isEmpty)
    day.end()
    day.answer = AmplitudeWorld.ok
    await start { $0.heldFiles = $1 }
    #expect(try await day.events().map(\.name) == ["session_start", "$identify"])
  }
}
