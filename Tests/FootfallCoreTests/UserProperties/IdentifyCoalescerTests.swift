import FootfallCore
import Testing

@Suite struct `Identify coalescer` {
  typealias Coalescer = IdentifyCoalescer<String>

  /// A coalescer behind a reference, with one owner unless said otherwise.
  final class Subject {
    var core: Coalescer
    var owner = Coalescer.Owner(userID: "user-1", deviceID: "device-1")

    init(restored: [Coalescer.Held] = []) {
      core = Coalescer(restored: restored, at: 0)
    }

    @discardableResult
    func take(_ name: String, _ kind: IdentifyKind, at now: Double = 0) -> [Coalescer.Effect] {
      core.receive(.event(name, kind, of: owner), at: now)
    }

    @discardableResult
    func set(_ name: String, _ properties: Properties, at now: Double = 0) -> [Coalescer.Effect] {
      take(name, .setsOnly(properties), at: now)
    }
  }

  func merged(
    _ first: String,
    and others: [String] = [],
    _ properties: Properties
  ) -> Coalescer.Effect {
    .queue(Coalescer.Merged(first: first, others: others, properties: properties))
  }

  @Test func `AMP C1: two that set wait for each other`() {
    let subject = Subject()
    let first = subject.set("a", ["key-1": "value-1"])
    let second = subject.set("b", ["key-2": "value-2"], at: 1)
    #expect(first + second == subject.core.held.map { .hold($0) })
    #expect(subject.core.receive(.timePassed, at: 29).isEmpty)
    #expect(subject.core.held.map(\.envelope) == ["a", "b"])
  }

  @Test func `AMP C2: an event goes after what was held`() {
    let subject = Subject()
    subject.set("a", ["key-1": "value-1"])
    subject.set("b", ["key-2": "value-2"])
    #expect(
      subject.take("someEvent", .ordinary) == [
        merged("a", and: ["b"], ["key-1": "value-1", "key-2": "value-2"]), .pass("someEvent"),
      ]
    )
    #expect(subject.core.held.isEmpty && subject.core.deadline == nil)
  }

  @Test func `AMP C3: later values win, and the event keeps its own`() {
    let subject = Subject()
    subject.set("a", ["key-1": "value-1-1", "key-2": "value-2"])
    subject.set("b", ["key-1": "value-1-2", "key-3": "value-3-1"])
    let own: Properties = ["key-1": "value-1-3"]
    #expect(
      subject.take("someEvent", IdentifyKind(userProperties: own)) == [
        merged("a", and: ["b"], ["key-1": "value-1-2", "key-2": "value-2", "key-3": "value-3-1"]),
        .pass("someEvent"),
      ]
    )
  }

  @Test func `AMP C4: another user's identify does not join`() {
    let subject = Subject()
    subject.set("a", ["p": 1])
    subject.owner.userID = "user-2"
    #expect(subject.set("b", ["p": 2]).first == merged("a", ["p": 1]))
    #expect(subject.core.held.map(\.envelope) == ["b"])
  }

  @Test func `AMP C5: an identify that does more goes after what was held, complete`() {
    let subject = Subject()
    subject.set("a", ["p": 1])
    let more = IdentifyKind(.set("q", 2).add("n", 1))
    #expect(subject.take("b", more) == [merged("a", ["p": 1]), .pass("b")])
  }

  @Test(arguments: [
    IdentifyKind(.clearAll()), IdentifyKind(userProperties: ["$clearAll": "-"]),
    IdentifyKind(.set("p", 1).clearAll()),
  ])
  func `AMP C6: clearing makes what was held pointless`(kind: IdentifyKind) {
    let subject = Subject()
    subject.set("a", ["p": 1])
    #expect(subject.take("b", kind) == [.discard(["a"]), .pass("b")])
    #expect(subject.core.receive(.flush, at: 1).isEmpty)
  }

  @Test func `AMP C7: a group identify leaves what is held alone`() {
    let subject = Subject()
    subject.set("a", ["p": 1])
    #expect(subject.take("g", .group) == [.pass("g")])
    #expect(subject.core.held.count == 1)
  }

  @Test func `AMP C8: an empty set is held, no user properties are not`() {
    let subject = Subject()
    subject.take("a", IdentifyKind(userProperties: ["$set": [:]]))
    #expect(subject.core.held.map(\.envelope) == ["a"])
    #expect(subject.take("b", IdentifyKind(userProperties: [:])) == [merged("a", [:]), .pass("b")])
    #expect(subject.take("c", IdentifyKind(IdentifyOperations())) == [.pass("c")])
  }

  @Test func `a flush queues what is held`() {
    let subject = Subject()
    subject.set("a", ["p": 1])
    #expect(subject.core.receive(.flush, at: 1) == [merged("a", ["p": 1])])
    #expect(subject.core.receive(.flush, at: 1).isEmpty)
  }

  @Test func `AMP C17: thirty seconds from the first one are the longest wait`() {
    let subject = Subject()
    subject.set("a", ["p": 1], at: 0)
    subject.set("b", ["p": 2], at: 10)
    subject.set("c", ["q": 3], at: 29)
    #expect(subject.core.deadline == 30)
    #expect(subject.core.receive(.timePassed, at: 29.9).isEmpty)
    let both = merged("a", and: ["b", "c"], ["p": 2, "q": 3])
    #expect(subject.core.receive(.timePassed, at: 30) == [both])
  }

  @Test func `AMP C11: null replaces no value but is kept if it is new`() {
    let subject = Subject()
    subject.set("a", ["a": nil, "b": 2])
    subject.set("b", ["a": 1, "b": nil, "c": nil])
    #expect(
      subject.core.receive(.flush, at: 0) == [merged("a", and: ["b"], ["a": 1, "b": 2, "c": nil])]
    )
  }

  @Test func `what an earlier run held goes before the first event`() {
    let subject = Subject(restored: [.init("a", setting: ["p": 1]), .init("b", setting: ["p": 2])])
    #expect(subject.take("e", .ordinary) == [merged("a", and: ["b"], ["p": 2]), .pass("e")])
  }

  @Test func `what an earlier run held does not wait for ever`() {
    let subject = Subject(restored: [.init("a", setting: ["p": 1])])
    #expect(subject.core.receive(.timePassed, at: 30) == [merged("a", ["p": 1])])
  }

  @Test func `AMP C14: with nothing held everything else passes at once`() {
    let subject = Subject()
    #expect(subject.take("a", IdentifyKind(.add("n", 1))) == [.pass("a")])
    #expect(subject.take("b", IdentifyKind(.clearAll())) == [.pass("b")])
    #expect(subject.take("c", .group) == [.pass("c")])
  }

  @Test func `AMP C15: another device's event comes after what was held`() {
    let subject = Subject()
    subject.set("a", ["p": 1])
    subject.owner.deviceID = "device-2"
    #expect(subject.take("e", .ordinary) == [merged("a", ["p": 1]), .pass("e")])
  }

  @Test func `AMP C16: so does another user's group identify`() {
    let subject = Subject()
    subject.set("a", ["p": 1])
    subject.owner.userID = "user-2"
    #expect(subject.take("g", .group) == [merged("a", ["p": 1]), .pass("g")])
  }

  @Test func `an identify with groups is not held`() {
    #expect(IdentifyKind(.set("orgId", "15"), hasGroups: true) == .ordinary)
    #expect(IdentifyKind(userProperties: ["$set": ["a": 1]], hasGroups: true) == .ordinary)
    #expect(IdentifyKind(userProperties: ["$set": ["a": 1], "$add": ["n": 1]]) == .ordinary)
  }

  @Test func `what is deleted is not queued`() {
    let subject = Subject()
    subject.set("a", ["p": 1])
    #expect(subject.core.receive(.forget, at: 1) == [.discard(["a"])])
    #expect(subject.take("e", .ordinary) == [.pass("e")])
  }

  @Test func `what would be too much for one event goes before the next`() {
    let subject = Subject()
    let many = Properties(pairs: (0..<150).map { ("p\($0)", 1) })
    subject.set("a", many)
    #expect(subject.set("b", ["q": ["x": 1, "y": 2]]).count == 1)
    #expect(subject.set("c", many).first.map { "\($0)".contains("queue") } == true)
    #expect(subject.core.held.map(\.envelope) == ["c"])
    let large = IdentifyKind.setsOnly(["p": 1])
    _ = subject.core.receive(.flush, at: 0)
    for name in ["d", "e", "f"] {
      _ = subject.core.receive(.event(name, large, of: subject.owner, bytes: 15_000), at: 0)
    }
    #expect(subject.core.held.map(\.envelope) == ["f"])
  }
}
