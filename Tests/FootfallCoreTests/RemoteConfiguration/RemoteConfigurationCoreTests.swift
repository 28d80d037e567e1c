import FootfallCore
import Testing

@Suite struct `Remote configuration core` {
  /// A core with its random source, fed with one-liners.
  final class Subject {
    var core: RemoteConfigurationCore
    var random = SeededRandom(seed: 4)

    init(_ change: (inout RemoteConfigurationRules) -> Void = { _ in }) {
      var rules = RemoteConfigurationRules(isEnabled: true)
      change(&rules)
      core = RemoteConfigurationCore(rules: rules)
    }

    func take(
      _ input: RemoteConfigurationCore.Input,
      at now: Double = 0
    ) -> [RemoteConfigurationCore.Effect] {
      core.receive(input, at: now, using: &random)
    }

    func start(
      _ cached: RemoteDocument? = nil,
      at now: Double = 0
    ) -> [RemoteConfigurationCore.Effect] {
      take(.start(cached: cached, isCollecting: true), at: now)
    }
  }

  static let old = RemoteDocument(content: ["a": 1], version: 1, entityTag: "\"1\"")
  static let new = RemoteDocument(content: ["a": 2], version: 2, entityTag: "\"2\"")
  static let failure = RemoteAnswer.failed("status 500", retryAfterSeconds: nil)

  @Test func `what was kept counts first, then the answer does and is kept`() {
    let subject = Subject()
    #expect(subject.start(Self.old) == [.apply(Self.old, .cache), .fetch(entityTag: "\"1\"")])
    #expect(
      subject.take(.answered(.document(Self.new))) == [.store(Self.new), .apply(Self.new, .server)]
    )
    #expect(subject.core.deadline == nil)
  }

  @Test func `a first run asks without a tag and has nothing to apply`() {
    let subject = Subject()
    #expect(subject.start() == [.fetch(entityTag: nil)])
    #expect(subject.take(.answered(.unchanged)).count == 1, "unchanged against nothing is reported")
  }

  @Test func `what is unchanged is confirmed, and not written again`() {
    let subject = Subject()
    _ = subject.start(Self.old)
    #expect(subject.take(.answered(.unchanged)) == [.apply(Self.old, .server)])
  }

  /// AMP M3.
  @Test func `switched off, nothing is asked, applied or kept`() {
    let subject = Subject { $0.isEnabled = false }
    #expect(subject.start(Self.old).isEmpty)
    #expect(subject.take(.refresh, at: 1_000).isEmpty)
    #expect(subject.take(.collecting(true)).isEmpty)
    #expect(subject.take(.answered(.document(Self.new))).isEmpty)
    #expect(subject.core.deadline == nil)
  }

  /// AMP M4.
  @Test(arguments: [401, 403])
  func `a client that is refused never asks again`(status: Int) {
    let subject = Subject()
    _ = subject.start(Self.old)
    let effects = subject.take(.answered(.refusedForGood(status: status)))
    #expect(effects.count == 1, "what was known goes on counting")
    #expect(subject.core.deadline == nil)
    #expect(subject.take(.refresh, at: 100_000).isEmpty)
    _ = subject.take(.collecting(false))
    #expect(subject.take(.collecting(true), at: 200_000).isEmpty)
  }

  /// AMP M4.
  @Test func `two failures are followed by a third attempt, after waits that grow`() throws {
    let subject = Subject()
    _ = subject.start()
    #expect(subject.take(.answered(Self.failure), at: 10).isEmpty)
    let second = try #require(subject.core.deadline)
    #expect((10.4...11).contains(second))
    #expect(subject.take(.timePassed, at: second.nextDown).isEmpty)
    #expect(subject.take(.timePassed, at: second) == [.fetch(entityTag: nil)])
    #expect(subject.take(.answered(Self.failure), at: 20).isEmpty)
    let third = try #require(subject.core.deadline)
    #expect((20.8...22).contains(third))
    #expect(subject.take(.timePassed, at: third) == [.fetch(entityTag: nil)])
    #expect(subject.take(.answered(.document(Self.new))).last == .apply(Self.new, .server))
  }

  @Test func `the fourth failure is the last, until a refresh is due`() throws {
    let subject = Subject()
    _ = subject.start(at: 0)
    var waits: [Double] = []
    for _ in 1...3 {
      #expect(subject.take(.answered(Self.failure), at: 0).isEmpty)
      waits.append(try #require(subject.core.deadline))
      #expect(subject.take(.timePassed, at: 100) == [.fetch(entityTag: nil)])
    }
    #expect((1.6...4).contains(waits[2]))
    #expect(subject.take(.answered(Self.failure), at: 100).count == 1, "only said")
    #expect(subject.core.deadline == nil)
    #expect(subject.take(.refresh, at: 299.9).isEmpty)
    #expect(subject.take(.refresh, at: 300) == [.fetch(entityTag: nil)])
  }

  @Test func `the random part of a wait is between 0.4 and 1`() throws {
    var shortest = 1.0
    var longest = 0.0
    for seed in 0..<300 as Range<UInt64> {
      let subject = Subject()
      subject.random = SeededRandom(seed: seed)
      _ = subject.start()
      _ = subject.take(.answered(Self.failure))
      let wait = try #require(subject.core.deadline)
      shortest = min(shortest, wait)
      longest = max(longest, wait)
    }
    #expect(shortest >= 0.4 && shortest < 0.45)
    #expect(longest <= 1 && longest > 0.95)
  }

  @Test func `a server that asks for patience gets it, up to an hour`() {
    for (asked, waited) in [(30.0, 30.0), (1e9, 3_600)] {
      let subject = Subject()
      _ = subject.start()
      _ = subject.take(.answered(.failed("status 429", retryAfterSeconds: asked)))
      #expect(subject.core.deadline == waited)
    }
  }

  @Test(arguments: [
    RemoteAnswer.refused(status: 404), .refused(status: 302), .unreadable(.noSettings("config")),
  ])
  func `other refusals and garbage are not tried again, and the last good answer stays`(
    answer: RemoteAnswer
  ) {
    let subject = Subject()
    _ = subject.start(Self.old)
    #expect(subject.take(.answered(answer)).count == 1)
    #expect(subject.core.deadline == nil)
    #expect(subject.take(.refresh, at: 300) == [.fetch(entityTag: "\"1\"")])
  }

  @Test func `refreshes are at least five minutes apart, and never two at once`() {
    let subject = Subject()
    _ = subject.start(at: 100)
    #expect(subject.take(.refresh, at: 1_000).isEmpty, "one is in flight")
    _ = subject.take(.answered(.document(Self.new)), at: 1_000)
    #expect(subject.take(.refresh, at: 399.9).isEmpty)
    #expect(subject.take(.refresh, at: 1_000) == [.fetch(entityTag: "\"2\"")])
    _ = subject.take(.answered(.unchanged), at: 1_001)
    #expect(subject.take(.refresh, at: 1_299.9).isEmpty)
    #expect(subject.take(.refresh, at: 1_300) == [.fetch(entityTag: "\"2\"")])
  }

  @Test func `waiting for the server, nothing counts for three seconds, then what was kept does`() {
    let subject = Subject { $0.delivery = RemoteConfigurationRules.usualWait }
    #expect(subject.start(Self.old, at: 5) == [.fetch(entityTag: "\"1\"")])
    #expect(subject.core.deadline == 8)
    #expect(subject.take(.timePassed, at: 7.9).isEmpty)
    #expect(subject.take(.timePassed, at: 8) == [.apply(Self.old, .cache)])
    #expect(subject.core.deadline == nil)
    #expect(subject.take(.answered(.document(Self.new))).last == .apply(Self.new, .server))
  }

  @Test func `waiting for the server ends with its answer, or with the certainty that none comes`()
  {
    let answered = Subject { $0.delivery = RemoteConfigurationRules.usualWait }
    _ = answered.start(Self.old)
    #expect(answered.take(.answered(.document(Self.new)), at: 1).last == .apply(Self.new, .server))
    #expect(answered.core.deadline == nil)
    let refused = Subject { $0.delivery = RemoteConfigurationRules.usualWait }
    _ = refused.start(Self.old)
    #expect(refused.take(.answered(.refused(status: 404)), at: 1).last == .apply(Self.old, .cache))
    let empty = Subject { $0.delivery = RemoteConfigurationRules.usualWait }
    _ = empty.start()
    #expect(empty.take(.timePassed, at: 3) == [.apply(nil, .local)])
  }

  @Test func `opting out cuts the question off, deletes what is kept, and leaves local values`() {
    let subject = Subject()
    _ = subject.start(Self.old)
    #expect(subject.take(.collecting(false)) == [.cancel, .forget, .apply(nil, .local)])
    #expect(subject.take(.answered(.document(Self.new))).isEmpty, "too late")
    #expect(subject.take(.refresh, at: 10_000).isEmpty)
    #expect(subject.take(.collecting(true), at: 1) == [.fetch(entityTag: nil)])
  }

  @Test func `a client that starts switched off asks nothing and keeps nothing`() {
    let subject = Subject()
    #expect(subject.take(.start(cached: nil, isCollecting: false)) == [.forget])
    #expect(subject.take(.refresh, at: 1_000).isEmpty)
    #expect(subject.take(.collecting(true), at: 2_000) == [.fetch(entityTag: nil)])
  }

  @Test func `the end cuts the question off, and nothing follows`() {
    let subject = Subject()
    _ = subject.start()
    #expect(subject.take(.terminate) == [.cancel])
    #expect(subject.take(.answered(.document(Self.new))).isEmpty)
    #expect(subject.take(.collecting(true)).isEmpty)
    #expect(subject.take(.terminate).isEmpty)
  }
}
