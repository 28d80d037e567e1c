import Footfall
import FootfallAWS
import FootfallPinpoint
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `AWSPinpoint: sessions` {
  let world = PinpointWorld()

  @Test func `AWS-N1: a launch in front starts a session and sends the endpoint, once`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    await pinpoint.updated()
    await world.pass(60_000, pinpoint)
    #expect(pinpoint.stored == 1 && world.transport.requests.isEmpty)
    await pinpoint.submit()
    #expect(world.sessionEvents == ["start"] && world.updates.requests.count == 1)
    let id = pinpoint.targetingClient.currentEndpointProfile().endpointId
    #expect(world.updates.requests.first?.url.hasSuffix("/endpoints/\(id)") == true)
    #expect(world.transport.requests.first.map { PinpointWorld.endpointID(of: $0) } == id)
  }

  @Test func `AWS-N2: a return within 5 s goes on with the same session`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    let id = pinpoint.sessionClient.session.sessionId
    world.lifecycle.announce(.background)
    await world.pass(4_999, pinpoint)
    world.lifecycle.announce(.foreground)
    await pinpoint.submit()
    #expect(pinpoint.sessionClient.session.sessionId == id)
    #expect(world.sessionEvents == ["start", "pause", "resume"])
    #expect(Set(world.events.map { $0.session["Id"] }) == [id])
  }

  @Test func `AWS-N3: after 5 s the session stops and is submitted; the return starts another`()
    async
  {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    world.lifecycle.announce(.background)
    await world.pass(5_000, pinpoint)
    await pinpoint.delivered()
    #expect(world.transport.requests.count == 1)
    #expect(world.sessionEvents == ["start", "pause", "stop"])
    await world.pass(1_000, pinpoint)
    world.lifecycle.announce(.foreground)
    await pinpoint.submit()
    #expect(world.sessionEvents == ["start", "pause", "stop", "start"])
    let starts = world.events.filter { $0.type == "_session.start" }.map { $0.session["Id"] }
    #expect(Set(starts).count == 2)
  }

  @Test func `AWS-N4: a stop that was sent is not told again by the next launch`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    world.lifecycle.announce(.background)
    await world.pass(5_000, pinpoint)
    await pinpoint.delivered()
    pinpoint.footfall.shutdown(limitSeconds: 0)
    let again = world.nextProcess()
    await again.pinpoint().submit()
    #expect(again.sessionEvents == ["start"])
  }

  @Test func `AWS-N5: a session that was open when the process ended is stopped once`() async {
    let pinpoint = world.pinpoint()
    pinpoint.record(1)
    await pinpoint.footfall.settle()
    let id = pinpoint.sessionClient.session.sessionId
    // Killed: what is on disk is what the next process has.
    let again = world.nextProcess()
    world.clock.advance(bySeconds: 60)
    let second = again.pinpoint()
    await second.submit()
    #expect(again.sessionEvents == ["start", "stop", "start"])
    #expect(again.events.first { $0.type == "_session.stop" }?.session["Id"] == id)
    second.footfall.shutdown(limitSeconds: 0)
    let last = again.nextProcess()
    world.clock.advance(bySeconds: 60)
    await last.pinpoint().submit()
    #expect(last.events.filter { $0.type == "_session.stop" && $0.session["Id"] == id }.isEmpty)
  }

  @Test func `AWS-N6: a launch in the background starts no session before the front`() async {
    let world = PinpointWorld(phase: .background)
    let pinpoint = world.pinpoint()
    pinpoint.record(["push"])
    await pinpoint.submit()
    #expect(world.sessionEvents.isEmpty)
    #expect(pinpoint.sessionClient.session.sessionId == "00000000-00000000")
    world.lifecycle.announce(.foreground)
    await pinpoint.submit()
    #expect(world.sessionEvents == ["start"])
  }

  @Test
  func `AWS-N7: without a timeout leaving stops and submits; without recording nothing is told`()
    async
  {
    let pinpoint = world.pinpoint { $0.sessionTimeout = 0 }
    await pinpoint.footfall.settle()
    world.lifecycle.announce(.background)
    await pinpoint.footfall.settle()
    await pinpoint.delivered()
    #expect(world.sessionEvents.last == "stop" && world.transport.requests.count == 1)
    let silent = PinpointWorld()
    let quiet = silent.pinpoint { $0.enableAutoSessionRecording = false }
    quiet.record(["a"])
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
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    await world.pass(Double(milliseconds), pinpoint)
    world.clock.setWallClock(to: world.clock.now.addingTimeInterval(Double(setBack)))
    await pinpoint.sessionClient.stopSession().ended()
    await pinpoint.submit()
    let stop = world.events.first { $0.type == "_session.stop" }
    #expect(stop?.session["Duration"] == duration)
    #expect(stop?.session["StartTimestamp"] == "2026-11-02T09:30:00.000Z")
  }

  @Test func `AWS-N9: a session is named after app, endpoint and start`() async throws {
    let pinpoint = world.pinpoint(appID: "01234567-89abcdef")
    await pinpoint.footfall.settle()
    let endpoint = pinpoint.targetingClient.currentEndpointProfile().endpointId
    let session = pinpoint.sessionClient.session
    #expect(session.sessionId == "89abcdef-\(endpoint.suffix(8))-20261102-093000000")
    #expect(session.startTime == Date(timeIntervalSince1970: 1_793_611_800))
    #expect(session.stopTime == nil)
    await pinpoint.submit()
    #expect(world.events.first?.session["Id"] == session.sessionId)
  }

  // That the app still has one endpoint is shown where a server is.
  @Test func `AWS N10: the next launch sends the same endpoint`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    await pinpoint.updated()
    let again = world.nextProcess()
    let next = again.pinpoint()
    await next.footfall.settle()
    await next.updated()
    #expect(again.updates.requests.map(\.url) == world.updates.requests.map(\.url))
    #expect(again.updates.requests.count == 1)
  }

  @Test func `an app can start, pause, resume and stop sessions itself`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    let first = pinpoint.sessionClient.session.sessionId
    let timedOut = Lock(0)
    await pinpoint.sessionClient.pauseSession(withTimeoutEnabled: true) { _ in
      timedOut.withLock { $0 += 1 }
    }.ended()
    await pinpoint.sessionClient.resumeSession().ended()
    await world.pass(5_000, pinpoint)
    #expect(pinpoint.sessionClient.session.sessionId == first && timedOut.withLock { $0 } == 0)
    world.clock.advance(bySeconds: 1)
    pinpoint.sessionClient.startSession()
    await pinpoint.footfall.settle()
    #expect(pinpoint.sessionClient.session.sessionId != first)
    await pinpoint.sessionClient.stopSession().ended()
    await pinpoint.submit()
    #expect(world.sessionEvents == ["start", "pause", "resume", "stop", "start", "stop"])
  }

  @Test func `a session that was paused ends by itself, and the app hears of it`() async {
    let pinpoint = world.pinpoint()
    await pinpoint.footfall.settle()
    let ended = AWSTaskCompletionSource<AnyObject>()
    await pinpoint.sessionClient.pauseSession(withTimeoutEnabled: true) { _ in
      ended.trySet(result: nil)
    }.ended()
    // The client's own thread and the one that tells the app.
    await world.clock.waitForSleepers(1)
    await world.pass(5_000, pinpoint)
    await ended.task.ended()
    await pinpoint.submit()
    #expect(world.sessionEvents.suffix(2) == ["pause", "stop"])
  }

  @Test func `a block hears of the client before its first session starts`() async {
    let sessions = Lock<[String]>([])
    let pinpoint = world.pinpoint { configuration in
      configuration.completionBlock = { pinpoint in
        sessions.withLock { $0.append(pinpoint.sessionClient.session.sessionId) }
        pinpoint.record(["first"])
      }
    }
    await pinpoint.submit()
    #expect(sessions.withLock { $0 } == ["00000000-00000000"])
    #expect(world.types == ["_session.start", "first"])
  }
}
