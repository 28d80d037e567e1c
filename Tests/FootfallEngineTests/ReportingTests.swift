import FootfallCore
import FootfallOutbox
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallEngine

@Suite(.timeLimit(.minutes(5))) struct `Results and steps of events` {
  let world = EngineWorld()
  let heard = Heard()

  @Test func `a callback is told once that the server has the event`() async {
    let engine = world.engine()
    engine.track("a", onResult: heard.callback)
    engine.track("b")
    _ = await engine.flush()
    _ = await engine.flush()
    #expect(heard.results.map(\.name) == ["a"])
    #expect(heard.results.map(\.outcome) == [.delivered(status: 202)])
  }

  /// The client's own words for AMP D25.
  @Test func `the file of a delivered event is gone when its callback runs`() async {
    let engine = world.engine()
    let batches = Lock<[Int]>([])
    let files = world.files
    engine.track("a") { _ in
      let left = files.paths.count { $0.hasSuffix(".batch") }
      batches.withLock { $0.append(left) }
    }
    _ = await engine.flush()
    #expect(batches.withLock { $0 } == [0])
  }

  @Test func `an event that waits is not told of, and one that is delivered later is`() async {
    world.answer(EngineWorld.main, 500)
    let engine = world.engine()
    engine.track("a", onResult: heard.callback)
    _ = await engine.flush()
    #expect(heard.results.isEmpty)
    world.answer(EngineWorld.main, 200)
    _ = await engine.flush()
    #expect(heard.results.map(\.outcome) == [.delivered(status: 200)])
  }

  @Test func `the events a server refuses are told apart from those it takes`() async {
    let body = #"{"accepted":1,"rejected":[{"index":1,"reason":"name"}]}"#
    world.transport.then(.status(202, body))
    let engine = world.engine()
    for name in ["a", "b"] as [EventName] { engine.track(name, onResult: heard.callback) }
    let report = await engine.flush()
    #expect(report.delivered == 1 && report.rejected == ["name": 1])
    #expect(
      heard.results.map(\.outcome) == [
        .delivered(status: 202), .dropped(.rejectedByServer, status: 202, message: "name"),
      ]
    )
    #expect(engine.diagnostics.dropped.byReason == [.rejectedByServer: 1])
  }

  @Test func `an event that is never stored is told of with the reason`() async {
    let engine = world.engine()
    engine.track("", onResult: heard.callback)
    let old = EventOptions(at: world.clock.now - 4_000 * 86_400)
    engine.track("old", [:], old, onResult: heard.callback)
    await engine.settle()
    #expect(Set(heard.results.map(\.outcome)) == [Self.dropped(.invalid), Self.dropped(.tooOld)])
  }

  @Test func `switching off tells the callbacks of what is stored, waits, or comes later`() async {
    world.answer(EngineWorld.main, 500)
    let engine = world.engine()
    engine.track("stored", onResult: heard.callback)
    _ = await engine.flush()
    engine.setEnabled(false)
    engine.track("later", onResult: heard.callback)
    await engine.settle()
    #expect(heard.results.map(\.name) == ["stored", "later"])
    #expect(heard.results.allSatisfy { $0.outcome == Self.dropped(.optedOut) })
  }

  @Test func `after a shutdown a callback is told at once`() async {
    let engine = world.engine()
    engine.shutdown(limitSeconds: 1)
    engine.track("late", onResult: heard.callback)
    #expect(heard.results.map(\.outcome) == [Self.dropped(.shutDown)])
  }

  @Test func `a disk without room is told of as such`() async {
    let engine = world.engine()
    await engine.settle()
    world.files.setCapacity(0)
    engine.track("a", onResult: heard.callback)
    await engine.settle()
    guard case .dropped(.diskFull, status: nil, _)? = heard.results.first?.outcome else {
      Issue.record("Told: \(heard.results)")
      return
    }
  }

  @Test func `events that go because there are too many are told of, the oldest first`() async {
    world.answer(EngineWorld.main, 500)
    let engine = world.engine { settings in
      settings.main.outbox.batchEvents = 2
      settings.main.outbox.keptEvents = 4
    }
    engine.track("first", onResult: heard.callback)
    engine.track("b")
    _ = await engine.flush()
    for name in ["c", "d", "e", "f"] as [EventName] { engine.track(name, onResult: heard.callback) }
    _ = await engine.flush()
    #expect(heard.results.map(\.name) == ["first"])
    #expect(heard.results.map(\.outcome) == [Self.dropped(.backlogFull)])
    #expect(engine.diagnostics.dropped.byReason == [.backlogFull: 2])
  }

  @Test func `the events of a batch that cannot be read any more are told of`() async {
    world.answer(EngineWorld.main, 500)
    let engine = world.engine { $0.main.outbox.batchEvents = 2 }
    let listener = Heard()
    let subscription = engine.observeResults(listener.callback)
    for name in ["a", "b", "c"] as [EventName] { engine.track(name, onResult: heard.callback) }
    _ = await engine.flush()
    guard let path = world.files.paths.first(where: { $0.hasSuffix(".batch") }) else {
      Issue.record("No batch")
      return
    }
    world.files.setBytes(path, [1, 2, 3])
    world.answer(EngineWorld.main, 202)
    _ = await engine.flush()
    for results in [heard.results, listener.results] {
      #expect(results.map(\.name) == ["a", "b", "c"])
      #expect(results.map(Self.reason) == [.damaged, .damaged, nil])
    }
    #expect(engine.diagnostics.dropped.byReason == [.damaged: 2])
    subscription.cancel()
  }

  @Test func `a listener hears of stored events that are deleted when collection ends`() async {
    world.answer(EngineWorld.main, 500)
    let engine = world.engine { $0.main.outbox.batchEvents = 2 }
    let subscription = engine.observeResults(heard.callback)
    engine.track("a")
    engine.track("b")
    _ = await engine.flush()
    engine.track("c")
    await engine.settle()
    engine.setEnabled(false)
    await engine.settle()
    #expect(heard.results.map(\.name) == ["a", "b", "c"])
    #expect(heard.results.allSatisfy { $0.outcome == Self.dropped(.optedOut) })
    subscription.cancel()
  }

  @Test func `what is deleted only at the second try is told of once`() async {
    world.answer(EngineWorld.main, 500)
    let engine = world.engine { $0.main.outbox.batchEvents = 2 }
    let subscription = engine.observeResults(heard.callback)
    for name in ["a", "b", "c"] as [EventName] { engine.track(name, onResult: heard.callback) }
    _ = await engine.flush()
    world.files.intercept { operation, path in
      operation == .remove && path.hasSuffix(".batch") ? .fail(5) : nil
    }
    engine.setEnabled(false)
    await engine.settle()
    #expect(heard.results.isEmpty)
    world.files.intercept(nil)
    world.clock.advance(bySeconds: 1)
    engine.poke()
    await engine.settle()
    // Each once for its callback and once for the listener.
    #expect(heard.results.map(\.name) == ["a", "a", "b", "b", "c", "c"])
    #expect(heard.results.allSatisfy { $0.outcome == Self.dropped(.optedOut) })
    subscription.cancel()
  }

  private static func reason(_ result: EventResult) -> DropReason? {
    if case .dropped(let reason, _, _) = result.outcome { reason } else { nil }
  }

  @Test func `a listener hears of every event, without callbacks, until it is cancelled`() async {
    let engine = world.engine(others: true)
    let subscription = engine.observeResults(heard.callback)
    engine.track("a")
    engine.track("", [:], EventOptions(id: "mine"))
    _ = await engine.flush()
    #expect(Set(heard.results.map(\.outcome)) == [.delivered(status: 202), Self.dropped(.invalid)])
    #expect(heard.results.first { $0.name == "" }?.id == "mine")
    subscription.cancel()
    engine.track("b")
    _ = await engine.flush()
    #expect(heard.results.count == 2)
  }

  @Test func `every step of an event can be followed`() async {
    let engine = world.engine()
    let steps = Lock<[DeliveryStep]>([])
    let subscription = engine.observeSteps { step in steps.withLock { $0.append(step) } }
    engine.track("a", [:], EventOptions(id: "mine"))
    engine.track("")
    _ = await engine.flush()
    subscription.cancel()
    let all = steps.withLock { $0 }
    let own = all.filter { $0.id == "mine" }
    #expect(own.map(\.kind) == [.tracked, .stored, .sealed, .sent, .delivered])
    #expect(own.dropFirst().allSatisfy { $0.destination == "main" && $0.name == "a" })
    #expect(own[2].number == 1 && own[3].number == 1)
    let other = all.filter { $0.id != "mine" }
    #expect(other.map(\.kind) == [.tracked, .dropped])
    #expect(other.last?.reason == .invalid)
  }

  private static func dropped(_ reason: DropReason) -> EventResult.Outcome {
    .dropped(reason, status: nil, message: "")
  }
}

/// Remembers results.
final class Heard: Sendable {
  private let told = Lock<[EventResult]>([])
  var results: [EventResult] { told.withLock { $0 } }
  var callback: @Sendable (EventResult) -> Void {
    { [told] result in told.withLock { $0.append(result) } }
  }
}
