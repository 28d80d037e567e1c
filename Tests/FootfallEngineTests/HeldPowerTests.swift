import FootfallCore
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@testable import FootfallEngine

/// A power cut while identifies are held: what was synced is there, and all else is there or not.
@Suite(.timeLimit(.minutes(5))) struct `Held identifies after a power cut` {
  private static let history: [(name: EventName, operations: IdentifyOperations?)] = [
    (.identify, .set("a", 1)), (.identify, .set("b", 2)), ("e1", nil), (.identify, .set("a", 3)),
    (.identify, .set("c", 4)), ("e2", nil), (.identify, .set("d", 5)),
  ]

  /// Runs so many steps, one in two of them a second before the next.
  private static func run(_ files: MemoryFiles, steps: Int) async -> CoalescingWorld {
    let app = await CoalescingWorld(files: files, status: 500)
    for (number, step) in history[..<steps].enumerated() {
      await app.track(step.name, step.operations)
      if number % 2 == 1 { await app.pass(1) }
    }
    return app
  }

  @Test(arguments: [0, 20, 10_000])
  func `keeps what was synced, in order, and no event under two ids`(tail: Int) async throws {
    for steps in 0...Self.history.count {
      let files = MemoryFiles()
      _ = await Self.run(files, steps: steps)
      files.losePower(keepingTailBytes: tail)
      let next = await CoalescingWorld(files: files.copy())
      _ = await next.engine.flush()
      let events = try next.events()
      var known: [String: CoalescingWorld.Sent] = [:]
      for event in events {
        // What was merged before the cut may be so again, under the id it had.
        let earlier = known.updateValue(event, forKey: event.id)
        #expect(earlier == nil || earlier == event, "another event under an id, after \(steps)")
      }
      var mirror = PropertyMirror()
      for event in events where event.name == "$identify" {
        let object = try JSONSerialization.jsonObject(with: Data(event.operations.utf8))
        let values = (object as? [String: Any])?["$set"] as? [String: Int] ?? [:]
        for (key, value) in values {
          mirror.apply(IdentifyOperations().set(key, .integer(Int64(value))))
        }
      }
      // Every second step is followed by a sync.
      let synced = steps / 2 * 2
      let right = (synced...steps).map { count in
        var mirror = PropertyMirror()
        for step in Self.history[..<count] { step.operations.map { mirror.apply($0) } }
        return mirror.properties
      }
      #expect(right.contains(mirror.properties), "\(mirror.properties) after \(steps)")
      let due = Self.history[..<synced].compactMap { $0.operations == nil ? $0.name.text : nil }
      #expect(events.filter { $0.name != "$identify" }.map(\.name).starts(with: due))
      // What was sent once is not sent by the one after.
      let last = await CoalescingWorld(files: next.files.copy())
      _ = await last.engine.flush()
      #expect(try last.sent.isEmpty)
    }
  }
}
