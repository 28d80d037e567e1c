import FootfallCore
import FootfallEngine
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Pinpoint: sessions` {
  let world = PinpointWorld()

  /// The session events in the order they were recorded, without the prefix.
  private func told(_ world: PinpointWorld) -> [String] {
    world.types.filter { $0.hasPrefix("_session.") }
      .map { String($0.dropFirst(9)) }
  }

  @Test func `AWS-N1: a launch in front starts a session and sends the endpoint, once`() async {
    let client = world.client()
    await client.settle()
    await client.updated()
    await world.pass(60_000, client)
    #expect(client.stored == 1 && world.transport.requests.isEmpty)
    await client.submit()
    #expect(told(world) == ["start"])
    #expect(world.updates.requests.count == 1 && world.updates.requests[0].method == .put)
    let id = world.transport.requests.first.map { PinpointWorld.endpointID(of: $0) } ?? ""
    #expect(world.updates.requests[0].url.hasSuffix("/endpoints/\(id)"))
  }

  // How many endpoints the app then has is the service's to say.
  @Test func `AWS N10: the next launch sends the same endpoint`() async {
    let client = world.client()
    await client.settle()
    await client.updated()
    client.engine.shutdown(limitSeconds: 0)
    let again = PinpointWorld(files: world.files, clock: world.clock)
    let relaunched = again.client()
    await relaunched.settle()
    await relaunched.updated()
    #expect(again.updates.requests.count == 1)
    #expect(again.updates.requests.map(\.url) == world.updates.requests.map(\.url))
  }

  @Test func `AWS-N2: a return within 5 s goes on with the same session`() async {
    let client = world.client()
    await client.settle()
    let id = client.engine.sessionID
    world.lifecycle.announce(.background)
    await world.pass(4_999, client)
    world.lifecycle.announce(.foreground)
    await client.settle()
    #expect(client.engine.sessionID == id && world.lifecycle.openGrants == 0)
    await client.submit()
    #expect(told(world) == ["start", "pause", "resume"])
    #expect(Set(world.events.map { $0.session["Id"] }).count == 1)
  }

  @Test func `AWS-N3: after 5 s the session stops and is submitted; the return starts another`()
    async
  {
    let client = world.client()
    await client.settle()
    world.lifecycle.announce(.background)
    await world.pass(5_000, client)
    #expect(client.requests == 1)
    await client.delivered()
    #expect(told(world) == ["start", "pause", "stop"])
    await world.pass(1_000, client)
    world.lifecycle.announce(.foreground)
    await client.submit()
    #expect(told(world) == ["start", "pause", "stop", "start"])
    let starts = world.events.filter { $0.type == "_session.start" }.map { $0.session["Id"] }
    #expect(Set(starts).count == 2)
  }

  @Test func `AWS-N4: a stop that was sent is not told again by the next launch`() async {
    let client = world.client()
    await client.settle()
    world.lifecycle.announce(.background)
    await world.pass(5_000, client)
    await client.delivered()
    client.engine.shutdown(limitSeconds: 0)
    let again = PinpointWorld(files: world.files, clock: world.clock)
    await again.client().submit()
    #expect(told(again) == ["start"])
  }

  @Test func `AWS-N5: a session that was open when the process ended is stopped once`() async {
    let client = world.client()
    client.record("a")
    await client.settle()
    let id = client.engine.sessionID
    client.engine.shutdown(limitSeconds: 0)
    world.clock.advance(bySeconds: 60)
    let again = PinpointWorld(files: world.files, clock: world.clock)
    await again.client().submit()
    #expect(told(again) == ["start", "stop", "start"])
    let stop = again.events.first { $0.type == "_session.stop" }
    #expect(stop?.session["Id"].map(SessionID.text) == id)
    again.clock.advance(bySeconds: 60)
    await again.client().submit()
    #expect(told(again).count { $0 == "stop" } <= 2)
  }

  @Test func `AWS-N6: a launch in the background starts no session before the front`() async {
    let world = PinpointWorld(phase: .background)
    let client = world.client()
    client.record("push")
    await client.submit()
    #expect(told(world).isEmpty && client.engine.sessionID == nil)
    world.lifecycle.announce(.foreground)
    await client.submit()
    #expect(told(world) == ["start"])
  }

  @Test
  func `AWS-N7: without a timeout leaving stops and submits; without recording nothing is told`()
    async
  {
    let client = world.client(settings: {
      $0.rules = .pinpoint(appID: PinpointWorld.appID, sessionMilliseconds: 0)
    })
    await client.settle()
    world.lifecycle.announce(.background)
    await client.settle()
    #expect(client.requests == 1)
    await client.delivered()
    #expect(told(world).last == "stop")
    let silent = PinpointWorld()
    let quiet = silent.client(settings: {
      $0.rules = .pinpoint(appID: PinpointWorld.appID, announcesSessions: false)
    })
    quiet.record("a")
    silent.lifecycle.announce(.background)
    await silent.pass(5_000, quiet)
    await quiet.submit()
    #expect(silent.types == ["a"])
  }

  @Test(arguments: [(62_500, 0, "62500"), (1_000, -3_600, "0")])
  func `AWS-N8: a session's duration is from start to stop, and never negative`(
    milliseconds: Int,
    setBack: Int,
    duration: String
  ) async {
    let client = world.client()
    await client.settle()
    await world.pass(Double(milliseconds), client)
    world.clock.setWallClock(to: world.clock.now.addingTimeInterval(Double(setBack)))
    world.lifecycle.announce(.background)
    await world.pass(5_000, client)
    await client.delivered()
    let stop = world.events.first { $0.type == "_session.stop" }
    #expect(stop?.session["Duration"] == duration)
    #expect(stop?.session["StartTimestamp"] == "2026-11-02T09:30:00.000Z")
    #expect(stop?.session["StopTimestamp"] != nil)
    let others = world.events.filter { $0.type != "_session.stop" }
    #expect(others.allSatisfy { $0.session["StopTimestamp"] == nil })
  }

  @Test func `AWS-N9: a session is named after app, endpoint and start`() async {
    let client = world.client(
      endpointID: "11111111-2222-4333-8444-5555ABCDEF01",
      codec: { $0 = PinpointCodec(appID: "01234567-89abcdef", device: EventContext()) }
    )
    await client.settle()
    #expect(client.engine.sessionID == .text("89abcdef-ABCDEF01-20261102-093000000"))
    await client.submit()
    #expect(world.events.first?.session["Id"] == "89abcdef-ABCDEF01-20261102-093000000")
  }
}
