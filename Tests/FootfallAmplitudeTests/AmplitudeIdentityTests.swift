import FootfallAmplitude
import FootfallCore
import FootfallEngine
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Amplitude: whose events they are` {
  let day = AmplitudeDay()
  private static let noVendor = PipelineRules.amplitude(
    announcesSessions: false,
    withheld: [.vendorID]
  )
  private static let empty = "00000000-0000-0000-0000-000000000000"

  /// The device that the next event carries, which is also the one that is read.
  private func device() async throws -> String? {
    let sent = try await day.plain()["device_id"]
    #expect(day.engine.deviceID == sent)
    return sent
  }

  private func isUUID(_ id: String?) -> Bool {
    id.map { UUID(uuidString: $0) != nil && $0 == $0.uppercased() } ?? false
  }

  @Test func `AMP-P1: the stored device stays, and a configured one takes its place for good`()
    async throws
  {
    await day.start()
    day.engine.setIdentity(.setDevice("D-stored"))
    #expect(try await device() == "D-stored")
    day.end()
    await day.start()
    #expect(try await device() == "D-stored")
    day.end()
    await day.start { $0.deviceID = "D-config" }
    #expect(try await device() == "D-config")
    day.end()
    await day.start()
    #expect(try await device() == "D-config")
  }

  @Test(arguments: [
    empty, "02:00:00:00:00:00", "e3f5536a141811db40efd6400f1d0a4e",
    "04bab7ee75b9a58d39b8dc54e8851084",
  ])
  func `AMP-P2: a stored device that many share is replaced`(shared: String) async throws {
    await day.start(Self.noVendor)
    day.engine.setIdentity(.setDevice(shared))
    #expect(try await device() == shared)
    day.end()
    await day.start(Self.noVendor)
    let new = try await device()
    #expect(isUUID(new) && new != shared)
    day.end()
    await day.start(Self.noVendor)
    #expect(try await device() == new)
  }

  @Test func `AMP-P3: a configured device that many share is kept, with a warning`() async throws {
    await day.start { $0.deviceID = Self.empty }
    #expect(try await device() == Self.empty)
    #expect(day.lines(.warning).contains { $0.contains("one that many devices share") })
  }

  @Test func `AMP-P4: the vendor's id is the device's, after a reset too`() async throws {
    await day.start()
    #expect(try await device() == "VENDOR-1")
    day.engine.setIdentity(.reset)
    let event = try await day.plain()
    #expect(event["device_id"] == "VENDOR-1" && event["idfv"] == "VENDOR-1")
  }

  @Test func `AMP-P5: without the vendor's id a device is made, and another by a reset`()
    async throws
  {
    await day.start(Self.noVendor)
    let first = try await device()
    day.engine.setIdentity(.reset)
    let event = try await day.plain()
    #expect(isUUID(first) && isUUID(event["device_id"]) && event["device_id"] != first)
    #expect(event["idfv"] == nil)
  }

  @Test func `AMP-P19: the stored user stays, and a configured one takes its place for good`()
    async throws
  {
    await day.start()
    day.engine.setIdentity(.setUser("u-stored"))
    #expect(try await day.plain()["user_id"] == "u-stored")
    var users: [String?] = []
    for configured in [nil, "u-config", nil] {
      day.end()
      await day.start { $0.userID = configured }
      users.append(try await day.plain()["user_id"])
      #expect(users.last == day.engine.userID)
    }
    #expect(users == ["u-stored", "u-config", "u-config"])
  }

  @Test func `AMP-P22: a device is known as soon as there is a client, and the same next time`()
    async throws
  {
    let files = MemoryFiles()
    var seen: [String?] = []
    for _ in 0..<2 {
      let world = AmplitudeWorld(files: files)
      let engine = world.engine()
      seen.append(engine.deviceID(limitSeconds: 60))
      engine.shutdown(limitSeconds: 0)
    }
    #expect(isUUID(seen[0]) && seen[0] == seen[1])
  }

  @Test func `a client without a device is not waited for twice`() async throws {
    let world = AmplitudeWorld()
    let engine = world.engine()
    _ = engine.deviceID(limitSeconds: 60)
    engine.setIdentity(.setDevice(nil))
    await engine.settle()
    #expect(engine.deviceID(limitSeconds: 60) == nil)
    engine.shutdown(limitSeconds: 0)
    #expect(engine.deviceID(limitSeconds: 60) == nil)
  }

  @Test func `AMP-P23: on a Mac the first interface's address is device and vendor's id`()
    async throws
  {
    day.device.withLock {
      $0.platform = "macOS"
      $0.vendorID = HardwareAddress.text([0xa4, 0x83, 0xe7, 1, 2, 3])
    }
    await day.start(.amplitude(announcesSessions: false, platform: "macOS"))
    let event = try await day.plain()
    #expect(event["device_id"] == "a4:83:e7:01:02:03" && event["idfv"] == "a4:83:e7:01:02:03")
  }

  @Test(arguments: [HardwareAddress.text([2, 0, 0, 0, 0, 0]), "02:00:00:00:00:00", empty])
  func `AMP-P24: what the system shows instead is neither device nor vendor's id`(
    shown: String?
  ) async throws {
    day.device.withLock {
      $0.platform = "macOS"
      $0.vendorID = shown
    }
    day.setClock(to: 1_000)
    await day.start(.amplitude(platform: "macOS"), .foreground)
    await day.track()
    let events = try await day.events()
    #expect(events.map(\.name) == ["session_start", "e"])
    for event in events { #expect(isUUID(event["device_id"]) && event["idfv"] == nil) }
    #expect(day.files(with: "02:00:00:00:00:00").isEmpty)
  }

  @Test func `AMP-P25: on a watch the vendor's id is the device's`() async throws {
    day.device.withLock { ($0.platform, $0.osName) = ("watchOS", "watchOS") }
    await day.start()
    let event = try await day.plain()
    #expect(event["device_id"] == "VENDOR-1" && event["idfv"] == "VENDOR-1")
    #expect(event["platform"] == "watchOS" && event["os_name"] == "watchos")
  }

  @Test func `AMP-P33: of children no event says the vendor's id, which may still be the device's`()
    async throws
  {
    for (withheld, isVendor) in [([], true), ([.vendorID], false)] as [(Set<ContextField>, Bool)] {
      let day = AmplitudeDay()
      await day.start(
        .amplitude(announcesSessions: false, protectsChildren: true, withheld: withheld)
      )
      let event = try await day.plain()
      #expect((event["device_id"] == "VENDOR-1") == isVendor)
      #expect(isVendor || isUUID(event["device_id"]))
      #expect(event["idfv"] == nil)
    }
  }
}
