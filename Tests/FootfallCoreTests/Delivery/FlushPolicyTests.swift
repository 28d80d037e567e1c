import FootfallCore
import Testing

@Suite struct `Flush policy` {
  /// A policy behind a reference, so that an expectation can feed it.
  final class Subject {
    var policy: FlushPolicy

    init(maxBytes: Int = 250_000, intervalSeconds: Double = 10) {
      policy = FlushPolicy(maxEvents: 50, maxBytes: maxBytes, intervalSeconds: intervalSeconds)
    }

    @discardableResult
    func take(_ input: FlushPolicy.Input, at now: Double) -> [FlushPolicy.Effect] {
      policy.receive(input, at: now)
    }
  }

  @Test func `fifty events are sealed at once`() {
    let subject = Subject()
    #expect(subject.take(.stored(events: 49, bytes: 100), at: 0).isEmpty)
    #expect(subject.take(.stored(events: 1, bytes: 100), at: 0.1) == [.sealFull])
  }

  @Test func `a quarter of a megabyte is sealed at once`() {
    let subject = Subject()
    #expect(subject.take(.stored(events: 4, bytes: 249_999), at: 0).isEmpty)
    #expect(subject.take(.stored(events: 1, bytes: 1), at: 0.1) == [.sealFull])
  }

  @Test func `the first event sets the deadline and later ones do not move it`() {
    let subject = Subject()
    subject.take(.stored(events: 1, bytes: 100), at: 0)
    subject.take(.stored(events: 1, bytes: 100), at: 9)
    #expect(subject.policy.deadline == 10)
    #expect(subject.take(.timePassed, at: 9.99).isEmpty)
    #expect(subject.take(.timePassed, at: 10) == [.sealAll])
  }

  @Test func `what is left over after a seal starts its own deadline`() {
    let subject = Subject()
    subject.take(.stored(events: 70, bytes: 100), at: 3)
    subject.take(.sealed(eventsLeft: 20, bytesLeft: 30), at: 4)
    #expect(subject.policy.deadline == 14)
    subject.take(.sealed(eventsLeft: 0, bytesLeft: 0), at: 14)
    #expect(subject.policy.deadline == nil)
  }

  @Test func `a seal that fails is not tried again at once`() {
    let subject = Subject(maxBytes: 1_000, intervalSeconds: 0)
    subject.take(.stored(events: 1, bytes: 1), at: 0)
    #expect(subject.take(.timePassed, at: 0) == [.sealAll])
    #expect(subject.take(.timePassed, at: 0).isEmpty)
    #expect(subject.policy.deadline == 1)
  }
}
