import FootfallCore
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallEngine

/// A process that ends at every one of its calls to the disk while it holds, merges and clears.
@Suite(.timeLimit(.minutes(5))) struct `Held identifies after a stop` {
  /// What the app says, one thing after the other.
  private static let history: [(name: EventName, operations: IdentifyOperations?)] = [
    (.identify, .set("a", 1).set("b", 1)),
    (.identify, .set("b", 2)),
    ("e1", nil),
    (.identify, .set("a", 3)),
    (.identify, .set("c", 3)),
    (.identify, .clearAll()),
    (.identify, .set("d", 4)),
    (.identify, .set("d", 5).add("n", 1)),
    (.identify, .set("a", 6)),
    ("e2", nil),
    (.identify, .set("c", 7)),
  ]

  /// What a server knows of the person after so many of them.
  private static func state(after steps: Int) -> Properties {
    var mirror = PropertyMirror()
    for step in history[..<steps] { step.operations.map { mirror.apply($0) } }
    return mirror.properties
  }

  /// What a server knows that was sent all this: each id counts once.
  private static func state(from worlds: [CoalescingWorld]) throws -> Properties {
    var mirror = PropertyMirror()
    var known: Set<String> = []
    for event in try worlds.flatMap({ try $0.events() })
    where event.name == "$identify" && known.insert(event.id).inserted {
      mirror.apply(try operations(event.operations))
    }
    return mirror.properties
  }

  private static func operations(_ json: String) throws -> IdentifyOperations {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
    guard object["$clearAll"] == nil else { return .clearAll() }
    return (object["$set"] as? [String: Int] ?? [:]).reduce(IdentifyOperations()) {
      $0.set($1.key, .integer($1.value))
    }
  }

  /// Runs the history on a disk that fails from the call after `calls` on, or only in that one.
  ///
  /// Returns how many steps were over by then.
  private static func run(
    _ files: MemoryFiles,
    calls: Int,
    isLasting: Bool,
    status: Int
  ) async -> (CoalescingWorld, steps: Int) {
    let app = await CoalescingWorld(files: files, status: status)
    let count = Lock(0)
    files.intercept { _, _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number == calls + 1 || isLasting && number > calls ? .fail(5) : nil
    }
    var steps = 0
    for step in history {
      await app.track(step.name, step.operations)
      if count.withLock({ $0 <= calls }) { steps += 1 }
    }
    return (app, steps)
  }

  private static func calls() async -> Int {
    let files = MemoryFiles()
    let app = await CoalescingWorld(files: files)
    let count = Lock(0)
    files.intercept { _, _ in
      count.withLock { $0 += 1 }
      return nil
    }
    for step in history { await app.track(step.name, step.operations) }
    return count.withLock { $0 }
  }

  @Test func `a kill at any call loses nothing that was said, and brings nothing back`()
    async throws
  {
    let calls = await Self.calls()
    #expect(calls > 20)
    for call in 0...calls {
      let files = MemoryFiles()
      let (_, steps) = await Self.run(files, calls: call, isLasting: true, status: 500)
      let killed = files.copy()
      let next = await CoalescingWorld(files: killed)
      _ = await next.engine.flush()
      let found = try Self.state(from: [next])
      let right = [steps, min(steps + 1, Self.history.count)].map { Self.state(after: $0) }
      #expect(right.contains(found), "call \(call), step \(steps): \(found)")
      try Self.expectSameUnderEachID(next, "call \(call)")
      // What is over for this run is over for the next.
      let last = await CoalescingWorld(files: killed.copy())
      _ = await last.engine.flush()
      #expect(try last.sent.isEmpty, "call \(call)")
    }
  }

  @Test func `one failed call loses nothing that is not counted`() async throws {
    let calls = await Self.calls()
    for call in 0...calls {
      let files = MemoryFiles()
      let (app, _) = await Self.run(files, calls: call, isLasting: false, status: 200)
      files.intercept(nil)
      await app.pass(5)
      _ = await app.engine.flush()
      #expect(app.isBalanced, "call \(call): \(app.engine.diagnostics)")
      if app.engine.diagnostics.dropped.isEmpty {
        #expect(try Self.state(from: [app]) == Self.state(after: Self.history.count), "\(call)")
      }
      let next = await CoalescingWorld(files: files.copy())
      _ = await next.engine.flush()
      if app.engine.diagnostics.dropped.isEmpty {
        let both = try Self.state(from: [app, next])
        #expect(both == Self.state(after: Self.history.count), "call \(call)")
      }
    }
  }

  /// Repeated or not, an id stands for one content.
  private static func expectSameUnderEachID(_ app: CoalescingWorld, _ what: String) throws {
    var known: [String: CoalescingWorld.Sent] = [:]
    for event in try app.events() {
      if let earlier = known.updateValue(event, forKey: event.id) {
        #expect(earlier == event, "\(what)")
      }
    }
  }
}
