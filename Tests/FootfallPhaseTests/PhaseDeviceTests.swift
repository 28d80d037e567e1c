import Footfall
import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPhase
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Phase: the device` {
  let world = PhaseWorld()

  private func devices(_ world: PhaseWorld) -> [Item] { world.items.filter { $0.type == "device" } }

  /// The only device that was sent.
  private func device() throws -> Item {
    let all = devices(world)
    #expect(all.count == 1)
    return try #require(all.first)
  }

  @Test func `PHA-5: a new device's id is a ULID of now`() async throws {
    _ = await world.identified()
    let id = try device().id
    #expect(ULID.isValid(id))
    #expect(abs((ULID.milliseconds(of: id) ?? 0) - 1_782_900_000_000) < 1_000)
  }

  @Test func `PHA-6: the id stays with the key; another key has another and nothing queued`()
    async throws
  {
    let client = await world.identified()
    client.footfall.setConnectivity(isOnline: false)
    client.track(3)
    await client.settle()
    client.footfall.shutdown(limitSeconds: 0)
    let id = try device().id
    let same = PhaseWorld(files: world.files.copy())
    _ = await same.identified()
    #expect(devices(same).map(\.id) == [id])
    #expect(same.items.count { $0.type == "event" } == 3)
    let other = PhaseWorld(files: world.files.copy())
    let client2 = await other.started(PhaseConfig(apiKey: "phase_other"))
    await client2.settle()
    #expect(client2.stored == 0 && other.transport.requests.isEmpty)
    #expect(client2.numbers?.dropped.byReason == [.keyChanged: 3])
    await client2.sdk.identify()
    await client2.flush()
    #expect(devices(other).count == 1 && devices(other)[0].id != id)
    #expect(other.items.map(\.type) == ["device", "session"])
  }

  @Test func `PHA-7: a stored id that is none is replaced`() async throws {
    var stored = ClientState()
    (stored.deviceID, stored.isDeviceKnown, stored.key) = ("x!", true, "phase_test")
    try stored.save(to: "/phase", files: world.files)
    let client = await world.identified()
    let id = try device().id
    #expect(ULID.isValid(id) && client.footfall.deviceID == id)
    client.footfall.shutdown(limitSeconds: 0)
    #expect(try ClientState.load(from: "/phase", files: world.files)?.deviceID == id)
  }

  @Test func `PHA-8: a property that cannot be sent is left out and named, and the session starts`()
    async throws
  {
    let client = await world.started()
    await client.sdk.identify(["plan": "pro", "tags": ["a", "b"]])
    await client.flush()
    #expect(try device().inner == ["plan": "pro", "app_version": "4.2.0"])
    #expect(world.lines(with: "tags") == 1)
    #expect(world.items.map(\.type) == ["device", "session"])
    #expect(client.footfall.diagnostics.dropped.byReason == [.propertyNotSupported: 1])
  }

  @Test func `PHA-9: a property's key has 128 characters at most`() async throws {
    let client = await world.started()
    let (fits, long) = (String(repeating: "k", count: 128), String(repeating: "l", count: 129))
    await client.sdk.identify([fits: 1, long: 2])
    await client.flush()
    #expect(try device().inner == [fits: "1", "app_version": "4.2.0"])
    #expect(world.lines(with: "longer than 128") == 1)
    #expect(client.footfall.diagnostics.dropped.byReason == [.propertyOverLimit: 1])
  }

  @Test func `PHA-10: every identify registers the device, the first begins the session`() async {
    let client = await world.started()
    await client.sdk.identify()
    await client.sdk.identify(["tier": "pro"])
    await client.flush()
    #expect(world.items.map(\.type) == ["device", "session", "device"])
    #expect(Set(devices(world).map(\.id)).count == 1)
    #expect(devices(world)[1].inner == ["tier": "pro", "app_version": "4.2.0"])
  }

  @Test func `PHA-11: without device info and locale only the id is sent, and no place looked up`()
    async throws
  {
    let client = await world.started(
      PhaseConfig(apiKey: "phase_test", deviceInfo: false, userLocale: false)
    )
    await client.sdk.identify()
    await client.flush()
    #expect(try device().keys == ["deviceId", "disableGeolocation"])
    #expect(isTrue(try device().payload["disableGeolocation"]))
  }

  private func isTrue(_ text: String?) -> Bool { text == "1" || text == "true" }

  @Test(arguments: [
    (nil, "https://api.phase.sh/sdk/batch"),
    ("http://127.0.0.1:8700", "http://127.0.0.1:8700/sdk/batch"),
  ])
  func `PHA-60: requests go to the base's address, or to Phase's`(base: String?, url: String) async
  {
    let config = base.map { PhaseConfig(apiKey: "phase_test", baseURL: $0) }
    let client = await world.started(config ?? PhaseConfig(apiKey: "phase_test"))
    await client.sdk.identify()
    client.track(120)
    await client.flush()
    await client.delivered()
    #expect(Set(world.transport.requests.map(\.url)) == [url])
  }

  @Test(arguments: [true, false])
  func `PHA-62: requests say that they are of a developer, if they are`(isDebug: Bool) async {
    let usual = PhaseConfig(apiKey: "phase_test")
    let developers = PhaseConfig(apiKey: "phase_test", debugData: true)
    let client = await world.started(isDebug ? developers : usual)
    await client.sdk.identify()
    await client.flush()
    client.track(3)
    await client.flush()
    let marks = world.transport.requests.map { request in
      request.headers.filter { $0.name == "x-phase-debug-data" }.map(\.value)
    }
    #expect(marks == (isDebug ? [["1"], ["1"]] : [[], []]))
  }

  @Test func `PHA-68: nothing of the person or the machine is sent beside what is documented`()
    async throws
  {
    var world = PhaseWorld()
    world.device = .current
    world.device.app = "4.2.0"
    let client = await world.started()
    await client.sdk.identify()
    await client.flush()
    let device = try #require(world.items.first)
    let known: Set<String> = [
      "deviceId", "osVersion", "platform", "locale", "model", "properties", "disableGeolocation",
    ]
    #expect(device.keys.isSubset(of: known))
    #expect(device.inner == ["app_version": "4.2.0"])
    let request = try #require(world.transport.requests.first)
    let text =
      String(decoding: request.body, as: UTF8.self)
      + request.headers.map { "\($0.name): \($0.value)" }.joined()
    let secrets = [NSUserName(), NSFullUserName(), ProcessInfo.processInfo.hostName]
    for secret in secrets where secret.count > 3 { #expect(!text.contains(secret)) }
    #expect(!text.lowercased().contains("advertis") && !text.lowercased().contains("idfa"))
  }

  @Test func `PHA-71: texts, numbers, truth values and null are sent as such`() async throws {
    let client = await world.started()
    await client.sdk.identify([
      "text": "x", "whole": 7, "half": 0.5, "yes": true, "none": Optional<String>.none as Any,
    ])
    await client.flush()
    let body = String(decoding: try #require(world.transport.requests.first).body, as: UTF8.self)
    let sent = #"{"text":"x","whole":7,"half":0.5,"yes":true,"none":null,"app_version":"4.2.0"}"#
    #expect(body.contains("\"properties\":" + sent))
  }

  @Test func `PHA-72: each property that cannot be sent is named`() async throws {
    let client = await world.started()
    await client.sdk.identify([
      "plan": "pro", "nested": ["a": 1], "day": Date(), "nothing": Double.nan,
    ])
    await client.flush()
    #expect(try device().inner == ["plan": "pro", "app_version": "4.2.0"])
    for key in ["nested", "day", "nothing"] { #expect(world.lines(with: "“\(key)”") == 1) }
    #expect(world.items.map(\.type) == ["device", "session"])
  }
}
