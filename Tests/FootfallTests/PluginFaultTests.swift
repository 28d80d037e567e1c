import FootfallCore
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import Footfall

/// Code of the app's own that misbehaves on the client's thread.
@Suite(.timeLimit(.minutes(5))) struct `Plugins that misbehave` {
  /// Where a plugin, or a callback, calls its client.
  enum Place: String, CaseIterable, Sendable {
    case setUp, before, enrichment, destination, flush, user, device, identity, session
    case collection, reset, tearDown, result

    var stage: PluginStage {
      switch self {
      case .before: .before
      case .enrichment: .enrichment
      case .destination, .flush: .destination
      default: .observe
      }
    }
  }

  /// What it calls.
  enum Act: String, CaseIterable, Sendable {
    case track, signIn, reset, off, offAndOn, lastSend, shutDown, shutDownAndWait, addPlugin
    case removeItself, readEverything, sessions
  }

  /// Calls its client once, at one place.
  private final class Mischief: Plugin {
    let stage: PluginStage
    private let place: Place
    private let act: Act
    private let client = Lock<FootfallClient?>(nil)
    private let done = Lock(false)

    init(_ place: Place, _ act: Act, _ client: FootfallClient) {
      (self.place, self.act) = (place, act)
      stage = place.stage
      self.client.withLock { $0 = client }
    }

    /// Whether it has called, and come back.
    var isDone: Bool { done.withLock { $0 } }

    func forget() { client.withLock { $0 = nil } }

    func at(_ place: Place) {
      guard place == self.place, let client = client.withLock({ $0 }) else { return }
      forget()
      call(client)
      done.withLock { $0 = true }
    }

    private func call(_ client: FootfallClient) {
      switch act {
      case .track: for _ in 0..<100 { client.track("from a plugin") }
      case .signIn:
        client.setUserID("another")
        client.setDeviceID("another-device")
      case .reset: client.reset()
      case .off: client.setEnabled(false)
      case .offAndOn:
        client.setEnabled(false)
        client.setEnabled(true)
      case .lastSend: client.flushAndDisable(limitSeconds: 5) {}
      case .shutDown: client.shutdown(limitSeconds: 0)
      case .shutDownAndWait: client.shutdown(limitSeconds: 5)
      case .addPlugin: client.add(ProbePlugin("added", .enrichment))
      case .removeItself: client.remove(self)
      case .readEverything:
        _ = (client.diagnostics, client.deviceID, client.userID, client.sessionID)
        _ = (client.isEnabled, client.isOffline, client.plugins, client.remoteConfiguration)
      case .sessions:
        client.startSession(id: .number(5))
        client.endSession()
      }
    }

    func setUp(_ host: any PluginHost) { at(.setUp) }
    func tearDown() { at(.tearDown) }
    func process(_ event: Event) -> Event? {
      at(stage == .before ? .before : .enrichment)
      return event
    }
    func receive(_ event: Event) { at(.destination) }
    func flush() { at(.flush) }
    func userChanged(_ userID: String?) { at(.user) }
    func deviceChanged(_ deviceID: String?) { at(.device) }
    func identityChanged(_ user: String?, _ device: String?, _ properties: Properties) {
      at(.identity)
    }
    func sessionChanged(_ sessionID: SessionID?) { at(.session) }
    func collectionChanged(_ isOn: Bool) { at(.collection) }
    func reset() { at(.reset) }
  }

  @Test(arguments: Place.allCases, Act.allCases)
  func `whatever they call, from wherever, nothing hangs and every event is accounted for`(
    place: Place,
    act: Act
  ) async throws {
    let world = World()
    let client = try world.client {
      $0.sessions.isEnabled = true
      $0.sessions.tracksStartAndEnd = false
    }
    await client.settle()
    let mischief = Mischief(place, act, client)
    client.add(mischief)
    client.track("a") { _ in mischief.at(.result) }
    client.setUserID("user-1")
    client.setDeviceID("device-1")
    client.reset()
    client.endSession()
    await client.flush()
    client.setEnabled(false)
    client.setEnabled(true)
    client.track("b")
    await client.flush()
    client.remove(mischief)
    client.track("c")
    await client.flush()
    await client.settle()
    client.shutdown(limitSeconds: 5)
    #expect(mischief.isDone)
    mischief.forget()
    let next = World(files: world.files)
    let relaunched = try next.client()
    await relaunched.flush()
    await relaunched.settle()
    let (counts, later) = (client.diagnostics, relaunched.diagnostics)
    #expect(counts.waiting == 0)
    #expect(counts.tracked == counts.delivered + later.delivered + counts.dropped.events)
    #expect(later.dropped.isEmpty && later.stored == 0)
  }

  /// Lets the world's time pass until a call on another thread has returned.
  private func pass(_ world: World, _ client: FootfallClient, until isOver: Lock<Bool>) async {
    while !isOver.withLock({ $0 }), !Task.isCancelled {
      world.clock.advance(bySeconds: 0.5)
      client.poke()
      await Task.yield()
    }
  }

  @Test(arguments: [true, false])
  func `one that blocks holds up delivery, and no caller for longer than is said`(
    isShutDown: Bool
  ) async throws {
    let world = World()
    let client = try world.client()
    let (gate, hasBegun) = (Gate(), Monitor(false))
    client.add(
      ProbePlugin("blocks", .enrichment) { event in
        hasBegun.change { $0 = true }
        _ = gate.wait()
        return event
      }
    )
    client.track("first")
    _ = hasBegun.wait { $0 ? true : nil }
    for number in 0..<1_000 { client.track(EventName("e\(number)")) }
    client.setUserID("user-1")
    client.identify(.set("plan", "pro"))
    #expect(client.diagnostics.tracked == 1_002)
    #expect(client.userID == "user-1")
    let isOver = Lock(false)
    let caller = try SystemThread(name: "caller") {
      if isShutDown { client.shutdown(limitSeconds: 2) } else { client.setEnabled(false) }
      isOver.withLock { $0 = true }
    }
    // The plugin blocks still: only its limit can end the call. How much of the world's time passes
    // while the caller's thread is not run is the machine's affair.
    await pass(world, client, until: isOver)
    caller.join()
    #expect(client.diagnostics.delivered == 0)
    gate.open()
    if isShutDown {
      client.shutdown(limitSeconds: 2)
    } else {
      await client.settle()
      #expect(client.diagnostics.dropped.byReason == [.optedOut: 1_002])
      client.shutdown(limitSeconds: 2)
    }
    let next = World(files: world.files)
    let relaunched = try next.client()
    await relaunched.flush()
    await relaunched.settle()
    let (counts, later) = (client.diagnostics, relaunched.diagnostics)
    #expect(
      counts.tracked
        == counts.delivered + later.delivered + counts.merged + later.merged + counts.dropped.events
    )
    if !isShutDown { #expect(later.delivered == 0) }
  }
}
