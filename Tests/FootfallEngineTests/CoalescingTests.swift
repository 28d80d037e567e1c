import FootfallCore
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallEngine

/// Scenarios of `amplitude.md` section 3, "identify coalescing".
@Suite(.timeLimit(.minutes(5))) struct `Identifies that only set properties` {
  @Test func `AMP-C1: two wait for each other, and nothing is queued for 29 s`() async {
    let app = await CoalescingWorld()
    await app.identify(.set("key-1", "value-1"), "a")
    await app.identify(.set("key-2", "value-2"), "b")
    await app.pass(29)
    #expect(app.queue.isEmpty && app.held == ["a", "b"])
    #expect(app.engine.diagnostics.stored == 2 && app.isBalanced)
    #expect(app.world.transport.requests.isEmpty)
  }

  @Test func `AMP-C2: an ordinary event goes after one identify with both keys`() async throws {
    let app = await CoalescingWorld()
    await app.identify(.set("key-1", "value-1"))
    await app.identify(.set("key-2", "value-2"))
    await app.track("someEvent")
    #expect(app.queue == ["$identify", "someEvent"])
    _ = await app.engine.flush()
    #expect(
      try app.sent == [
        #"$identify user-1 {"$set":{"key-1":"value-1","key-2":"value-2"}}"#, "someEvent user-1 {}",
      ]
    )
  }

  @Test func `AMP-C3: later values replace earlier ones, and an event keeps its own only`()
    async throws
  {
    let app = await CoalescingWorld()
    await app.identify(.set("key-1", "value-1-1").set("key-2", "value-2"))
    await app.identify(.set("key-1", "value-1-2").set("key-3", "value-3-1"))
    await app.track("someEvent", .set("key-1", "value-1-3"))
    _ = await app.engine.flush()
    #expect(
      try app.sent == [
        #"$identify user-1 {"$set":{"key-1":"value-1-2","key-2":"value-2","key-3":"value-3-1"}}"#,
        #"someEvent user-1 {"$set":{"key-1":"value-1-3"}}"#,
      ]
    )
  }

  @Test func `AMP-C4: another user's identify does not join`() async throws {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1), "a")
    await app.change(.identity(.setUser("user-2")))
    await app.identify(.set("p", 2), "b")
    #expect(app.steps(.stored).map(\.id) == ["a"])
    #expect(app.held == ["a", "b"] && app.engine.diagnostics.stored == 2)
    _ = await app.engine.flush()
    #expect(
      try app.sent == [
        #"$identify user-1 {"$set":{"p":1}}"#, #"$identify user-2 {"$set":{"p":2}}"#,
      ]
    )
  }

  @Test func `AMP-C5: an identify that does more goes after what was held, complete`()
    async throws
  {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1), "a")
    await app.identify(.set("q", 2).add("n", 1), "b")
    #expect(app.steps(.stored).map(\.id) == ["a", "b"])
    _ = await app.engine.flush()
    #expect(
      try app.sent == [
        #"$identify user-1 {"$set":{"p":1}}"#, #"$identify user-1 {"$add":{"n":1},"$set":{"q":2}}"#,
      ]
    )
  }

  @Test func `AMP-C6: what was held before everything is cleared is never sent`() async throws {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    await app.identify(.clearAll())
    await app.pass(60)
    _ = await app.engine.flush()
    #expect(try app.sent == [#"$identify user-1 {"$clearAll":"-"}"#])
    #expect(app.engine.diagnostics.merged == 1 && app.isBalanced)
    let again = await CoalescingWorld(files: app.files.copy())
    _ = await again.engine.flush()
    #expect(try again.sent.isEmpty)
  }

  @Test func `AMP-C7: a group identify of the same person leaves what is held alone`() async {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    await app.identifyGroup(.set("size", 5))
    #expect(app.queue == ["$groupidentify"])
    #expect(app.engine.diagnostics.stored == 2)
  }

  @Test func `AMP-C9: a flush sends what is held`() async throws {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    let report = await app.engine.flush()
    #expect(report == DeliveryReport(delivered: 1))
    #expect(try app.sent == [#"$identify user-1 {"$set":{"p":1}}"#])
  }

  // AMP C10: the options it names are of the vendor's own interface
  @Test func `thirty seconds are the longest wait`() async {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    await app.pass(29.999)
    #expect(app.queue.isEmpty)
    await app.pass(0.001)
    #expect(app.queue == ["$identify"])
  }

  @Test func `AMP-C11: null replaces no value but is kept if it is new`() async throws {
    let app = await CoalescingWorld()
    await app.identify(IdentifyOperations(setting: ["a": nil, "b": 2]))
    await app.identify(IdentifyOperations(setting: ["a": 1, "b": nil, "c": nil]))
    _ = await app.engine.flush()
    #expect(try app.sent == [#"$identify user-1 {"$set":{"a":1,"b":2,"c":null}}"#])
  }

  @Test func `AMP-C12: what a killed app held is sent by the next one, before its events`()
    async throws
  {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1), "a")
    await app.identify(.set("q", 2), "b")
    let again = await CoalescingWorld(files: app.files.copy(), user: "user-2")
    await again.track("someEvent")
    _ = await again.engine.flush()
    #expect(
      try again.sent == [#"$identify user-1 {"$set":{"p":1,"q":2}}"#, "someEvent user-2 {}"]
    )
    #expect(try again.events().first?.id == "a")
    #expect(again.engine.diagnostics.merged == 1)
    let third = await CoalescingWorld(files: again.files.copy())
    _ = await third.engine.flush()
    #expect(try third.sent.isEmpty)
  }

  @Test func `AMP-C13: the callbacks of all that were merged are told of the one answer`() async {
    let app = await CoalescingWorld()
    let heard = Heard()
    await app.identify(.set("p", 1), "a", onResult: heard.callback)
    await app.identify(.set("q", 2), "b", onResult: heard.callback)
    #expect(heard.results.isEmpty)
    _ = await app.engine.flush()
    #expect(heard.results.map(\.outcome) == [.delivered(status: 200), .delivered(status: 200)])
    #expect(app.steps(.merged).map { [$0.id, $0.other ?? ""] } == [["b", "a"]])
  }

  @Test func `AMP-C14: with nothing held everything else is queued at once`() async {
    let app = await CoalescingWorld()
    await app.identify(.add("n", 1))
    #expect(app.queue.count == 1)
    await app.identify(.clearAll())
    #expect(app.queue.count == 2)
    await app.identifyGroup(.set("size", 5))
    #expect(app.queue == ["$identify", "$identify", "$groupidentify"])
    #expect(app.held.isEmpty)
  }

  @Test func `AMP-C15: another device's event comes after what was held, with its own device`()
    async throws
  {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    await app.change(.identity(.setDevice("device-2")))
    await app.track("someEvent")
    #expect(app.queue == ["$identify", "someEvent"])
    _ = await app.engine.flush()
    #expect(try app.events().map(\.device) == ["device-1", "device-2"])
  }

  @Test func `AMP-C16: so does another user's group identify`() async throws {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    await app.change(.identity(.setUser("user-2")))
    await app.identifyGroup(.set("size", 5))
    #expect(app.queue == ["$identify", "$groupidentify"])
    _ = await app.engine.flush()
    #expect(try app.events().first?.user == "user-1")
  }

  @Test func `AMP-C17: later ones do not prolong the wait`() async throws {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1), "a")
    await app.pass(10)
    await app.identify(.set("p", 2), "b")
    await app.pass(19)
    await app.identify(.set("q", 3), "c")
    await app.pass(0.999)
    #expect(app.queue.isEmpty)
    await app.pass(0.001)
    #expect(app.steps(.stored).map(\.id) == ["a"])
    _ = await app.engine.flush()
    #expect(try app.sent == [#"$identify user-1 {"$set":{"p":2,"q":3}}"#])
    #expect(app.engine.diagnostics.merged == 2 && app.isBalanced)
  }

  @Test func `AMP-C18: revenue comes after what was held`() async {
    let app = await CoalescingWorld()
    await app.identify(.set("p", 1))
    var revenue = Revenue()
    revenue.price = 3.99
    if let content = revenue.content { app.engine.track(content.name, content.properties, nil) }
    await app.engine.settle()
    #expect(app.queue == ["$identify", "revenue_amount"])
  }

  @Test
  func `AMP-L26: destination plugins see each once and at once, whatever is merged or retried`()
    async throws
  {
    let app = await CoalescingWorld(status: 503)
    let plugin = SeeingPlugin()
    await app.change(.addPlugin(plugin))
    await app.identify(.set("p", 1), "a")
    #expect(plugin.seen == ["a"])
    await app.identify(.set("q", 2), "b")
    #expect(plugin.seen == ["a", "b"])
    _ = await app.engine.flush()
    app.world.answer(EngineWorld.main, 200)
    _ = await app.engine.flush()
    #expect(try app.events().map(\.id) == ["a", "a"])
    #expect(plugin.seen == ["a", "b"])
  }
}

/// Remembers the ids of what arrives.
private final class SeeingPlugin: Plugin {
  let stage = PluginStage.destination
  private let ids = Lock<[String]>([])
  var seen: [String] { ids.withLock { $0 } }
  func receive(_ event: Event) { ids.withLock { $0.append(event.id) } }
}
