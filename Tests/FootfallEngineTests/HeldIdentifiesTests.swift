import FootfallCore
import FootfallOutbox
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallEngine

/// What holding identifies back does to numbers, files, other destinations and other processes.
@Suite(.timeLimit(.minutes(5))) struct `Held identifies` {
  @Test func `they count as stored, and those that were merged are no loss`() async {
    let app = await CoalescingWorld()
    for number in 0..<5 { await app.identify(.set("p", .integer(number))) }
    var counts = app.engine.diagnostics
    #expect(counts.tracked == 5 && counts.stored == 5 && counts.merged == 0)
    await app.track("someEvent")
    counts = app.engine.diagnostics
    #expect(counts.tracked == 6 && counts.stored == 2 && counts.merged == 4)
    _ = await app.engine.flush()
    counts = app.engine.diagnostics
    #expect(counts.delivered == 2 && counts.stored == 0 && counts.dropped.isEmpty && app.isBalanced)
  }

  @Test func `more than fits into one event arrives all the same`() async throws {
    let app = await CoalescingWorld()
    for number in 0..<450 { app.engine.track(.identify, [:], nil, .set("p\(number)", 1)) }
    await app.engine.settle()
    _ = await app.engine.flush()
    let text = try app.sent.joined()
    #expect((0..<450).allSatisfy { text.contains("\"p\($0)\":1") })
    #expect(try app.sent.count == 3 && app.engine.diagnostics.dropped.isEmpty && app.isBalanced)
  }

  @Test func `one that is dropped takes no other with it`() async throws {
    let app = await CoalescingWorld()
    let heard = Heard()
    let tooLong = String(repeating: "x", count: 200)
    await app.identify(.set("p", 1), tooLong, onResult: heard.callback)
    await app.identify(.set("q", 2))
    await app.identify(.set("q", .double(.nan)))
    await app.identify(.clearAll(), tooLong)
    await app.identify(.set("r", 3))
    _ = await app.engine.flush()
    #expect(
      heard.results.map(\.outcome) == [.dropped(.invalid, status: nil, message: "")]
    )
    #expect(try app.sent.first == #"$identify user-1 {"$set":{"q":2}}"#)
    #expect(try app.sent.last == #"$identify user-1 {"$set":{"r":3}}"#)
    #expect(app.engine.diagnostics.dropped.byReason == [.invalid: 2, .propertyNotFinite: 1])
    #expect(app.isBalanced)
  }

  @Test func `they and their bytes are gone when collection is switched off`() async {
    let app = await CoalescingWorld()
    let heard = Heard()
    await app.identify(.set("p", "secret-value"), onResult: heard.callback)
    #expect(app.files.holds("secret-value"))
    app.engine.setEnabled(false)
    await app.engine.settle()
    #expect(!app.files.holds("secret-value"))
    #expect(app.engine.diagnostics.dropped.byReason == [.optedOut: 1] && app.isBalanced)
    #expect(heard.results.map(\.outcome) == [.dropped(.optedOut, status: nil, message: "")])
    app.engine.setEnabled(true)
    _ = await app.engine.flush()
    #expect(app.world.transport.requests.isEmpty)
  }

  @Test func `a start that is off deletes what an earlier run held, and counts it`() async {
    let app = await CoalescingWorld()
    await app.identify(.set("p", "secret-value"))
    await app.identify(.set("q", "secret-value"))
    let again = await CoalescingWorld(files: app.files.copy()) { $0.isEnabled = false }
    #expect(again.engine.diagnostics.dropped.byReason == [.optedOut: 2])
    #expect(!again.files.holds("secret-value"))
  }

  @Test func `nothing of them is left on disk once they are delivered`() async {
    let app = await CoalescingWorld()
    await app.identify(.set("p", "secret-value"))
    _ = await app.engine.flush()
    #expect(!app.files.holds("secret-value"))
  }

  @Test func `a store that fails costs nothing: they go at once`() async throws {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    app.files.intercept { _, path in path.contains("/held/") ? .fail(5) : nil }
    await app.identify(.set("q", 2))
    await app.identify(.set("r", 3))
    #expect(app.queue == ["$identify", "$identify"])
    app.files.intercept(nil)
    await app.pass(5)
    await app.identify(.set("s", 4))
    #expect(app.queue.count == 2 && app.engine.diagnostics.stored == 3)
    _ = await app.engine.flush()
    #expect(
      try app.sent == [
        #"$identify user-1 {"$set":{"p":1,"q":2}}"#, #"$identify user-1 {"$set":{"r":3}}"#,
        #"$identify user-1 {"$set":{"s":4}}"#,
      ]
    )
    #expect(app.isBalanced)
    let again = await CoalescingWorld(files: app.files.copy())
    _ = await again.engine.flush()
    #expect(try again.sent.isEmpty)
  }

  @Test func `a shutdown sends them, and one without time leaves them to the next start`()
    async throws
  {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    app.engine.shutdown(limitSeconds: 5)
    #expect(try app.sent == [#"$identify user-1 {"$set":{"p":1}}"#])
    let next = await CoalescingWorld(files: app.files)
    await next.identify(.set("q", 2), "b")
    next.engine.shutdown(limitSeconds: 0)
    #expect(try next.sent.isEmpty)
    let last = await CoalescingWorld(files: app.files)
    _ = await last.engine.flush()
    #expect(try last.events().map(\.id) == ["b"])
  }

  @Test func `every destination holds and merges for itself, and callbacks are told once`()
    async throws
  {
    let app = await CoalescingWorld(others: true)
    let heard = Heard()
    await app.identify(.set("p", 1), "a", onResult: heard.callback)
    await app.identify(.set("q", 2), "b", onResult: heard.callback)
    _ = await app.engine.flush()
    let main = try app.events(to: EngineWorld.main)
    #expect(main.map(\.id) == ["a"])
    #expect(try app.events(to: EngineWorld.other) == main)
    #expect(heard.results.count == 2)
    #expect(app.engine.diagnostics.destinations["other"]?.merged == 1)
  }

  @Test func `one that does not merge gets them one by one`() async throws {
    let app = await CoalescingWorld { $0.main.mergesIdentifies = false }
    await app.identify(.set("p", 1))
    await app.identify(.set("q", 2))
    #expect(app.queue.count == 2)
  }

  @Test func `what a second process held is sent by the one that adopts its folder`()
    async throws
  {
    let first = await CoalescingWorld()
    let second = await CoalescingWorld(files: first.files)
    await first.identify(.set("p", 1), "a")
    await second.identify(.set("q", 2), "b")
    await second.identify(.set("r", 3), "c")
    #expect(first.files.paths.contains { $0.contains("/second-1/held/") })
    let next = await CoalescingWorld(files: first.files.copy())
    _ = await next.engine.flush()
    #expect(try next.events().map(\.id) == ["a", "b"])
    #expect(try next.sent.last == #"$identify user-1 {"$set":{"q":2,"r":3}}"#)
    let last = await CoalescingWorld(files: next.files.copy())
    _ = await last.engine.flush()
    #expect(try last.sent.isEmpty)
  }

}
