import FootfallCore
import Testing

@Suite struct `Consent core` {
  typealias Effect = ConsentCore.Effect

  /// A core behind a reference, so that an expectation can feed it.
  final class Subject {
    var core: ConsentCore

    init(_ rule: ConsentCore.Rule = .deletesStored, isStarted: Bool = true) {
      core = ConsentCore(rule: rule)
      if isStarted { take(.start) }
    }

    @discardableResult
    func take(_ input: ConsentCore.Input, at now: Double = 0) -> [Effect] {
      core.receive(input, at: now)
    }
  }

  @Test func `off before the start lets nothing out, and deletes what earlier runs left`() {
    let subject = Subject(isStarted: false)
    #expect(subject.take(.setEnabled(false)) == [.collect(false), .discard])
    #expect(!subject.core.isCollecting && !subject.core.maySend)
    #expect(subject.take(.start) == [.discard])
    #expect(!subject.core.maySend)
  }

  @Test func `without a choice collection is on, and sends after the start only`() {
    let subject = Subject(isStarted: false)
    #expect(subject.core.isCollecting && !subject.core.maySend)
    #expect(subject.take(.start).isEmpty)
    #expect(subject.core.isCollecting && subject.core.maySend)
    #expect(subject.take(.start).isEmpty)
  }

  @Test func `off after the start cuts the request and deletes`() {
    let subject = Subject()
    #expect(subject.take(.setEnabled(true)).isEmpty)
    #expect(
      subject.take(.setEnabled(false)) == [.collect(false), .cancelSending, .discard]
    )
    #expect(!subject.core.maySend)
    #expect(subject.take(.setEnabled(true)) == [.collect(true)])
    #expect(subject.core.isCollecting && subject.core.maySend)
  }

  @Test func `off twice has no effect the second time`() {
    let subject = Subject()
    subject.take(.setEnabled(false))
    #expect(subject.take(.setEnabled(false)).isEmpty)
    #expect(subject.take(.flushAndDisable(limitSeconds: 10)) == [.finishDisable])
  }

  @Test func `an event taken before a deletion is known by its number`() {
    let subject = Subject()
    let taken = subject.core.discards
    subject.take(.setEnabled(false))
    subject.take(.setEnabled(true))
    #expect(subject.core.discards != taken)
  }

  @Test func `Amplitude still sends what is stored`() {
    let subject = Subject(.sendsStored)
    #expect(subject.take(.setEnabled(false)) == [.collect(false)])
    #expect(!subject.core.isCollecting && subject.core.maySend)
    #expect(subject.core.discards == 0)
    #expect(subject.take(.setEnabled(true)) == [.collect(true)])
  }

  @Test func `the last send ends and the rest is deleted`() {
    let subject = Subject()
    #expect(
      subject.take(.flushAndDisable(limitSeconds: 10), at: 5) == [.collect(false), .sendLast(1)]
    )
    #expect(!subject.core.isCollecting && subject.core.maySend)
    #expect(subject.core.discards == 0)
    #expect(subject.take(.lastSendEnded(1), at: 5.6) == [.discard, .finishDisable])
    #expect(!subject.core.maySend && subject.core.deadline == nil)
  }

  @Test func `a server that hangs is left at the limit`() {
    let subject = Subject()
    subject.take(.flushAndDisable(limitSeconds: 10), at: 5)
    #expect(subject.core.deadline == 15)
    #expect(subject.take(.timePassed, at: 14.9).isEmpty)
    #expect(subject.take(.timePassed, at: 15) == [.cancelSending, .discard, .finishDisable])
    #expect(subject.take(.lastSendEnded(1), at: 16).isEmpty)
  }

  @Test(arguments: [0, -1, -Double.infinity])
  func `no time means off at once`(limit: Double) {
    let subject = Subject()
    #expect(
      subject.take(.flushAndDisable(limitSeconds: limit)) == [
        .collect(false), .cancelSending, .discard, .finishDisable,
      ]
    )
  }

  @Test func `off during the last send deletes at once`() {
    let subject = Subject()
    subject.take(.flushAndDisable(limitSeconds: 10))
    #expect(
      subject.take(.setEnabled(false), at: 1) == [.cancelSending, .discard, .finishDisable]
    )
    #expect(subject.take(.lastSendEnded(1), at: 2).isEmpty)
  }

  @Test(arguments: [ConsentCore.Input.lastSendEnded(1), .timePassed])
  func `on during the last send wins, and nothing is deleted`(end: ConsentCore.Input) {
    let subject = Subject()
    subject.take(.flushAndDisable(limitSeconds: 10))
    #expect(subject.take(.setEnabled(true), at: 1) == [.collect(true)])
    #expect(subject.core.isCollecting && subject.core.maySend)
    #expect(subject.take(end, at: 10) == [.finishDisable])
    #expect(subject.core.isCollecting && subject.core.discards == 0)
  }

  @Test func `a second call moves the limit, and sends again only if there is more`() {
    let subject = Subject()
    subject.take(.flushAndDisable(limitSeconds: 10))
    #expect(subject.take(.flushAndDisable(limitSeconds: 2), at: 1).isEmpty)
    #expect(subject.core.deadline == 3)
    subject.take(.setEnabled(true), at: 1.5)
    #expect(
      subject.take(.flushAndDisable(limitSeconds: 5), at: 2) == [.collect(false), .sendLast(2)]
    )
    #expect(subject.take(.lastSendEnded(1), at: 3).isEmpty)
    #expect(subject.take(.lastSendEnded(2), at: 4) == [.discard, .finishDisable])
  }

  @Test func `a last send before the start sends nothing`() {
    let subject = Subject(isStarted: false)
    #expect(
      subject.take(.flushAndDisable(limitSeconds: 10)) == [
        .collect(false), .discard, .finishDisable,
      ]
    )
  }
}
