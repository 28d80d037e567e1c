import FootfallCore
import Testing

@Suite struct `Flush policy` {
  /// A policy behind a reference, so that an expectation can feed it.
  final class Subject {
    var policy: FlushPolicy

    init(maxBytes: Int = 250_000, intervalSeconds: Double = 10) {
      policy = FlushPolicy(maxEvents: 50, maxBytes: maxBytes, intervalSeconds: intervalSeconds)
    }

    init(_ rules: FlushRules, startedAt now: Double = 0) {
      policy = FlushPolicy(rules: rules, startedAt: now)
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

  // AMP D1, AMP D3
  @Test(arguments: [(30, 30), (5, 5), (1, 1), (0, 1), (-7, 1)])
  func `Amplitude sends at its queue size, which is at least 1`(size: Int, events: Int) {
    let subject = Subject(.amplitude(queueSize: size, intervalSeconds: 30))
    for _ in 1..<events { #expect(subject.take(.stored(events: 1, bytes: 9), at: 0).isEmpty) }
    #expect(subject.take(.stored(events: 1, bytes: 9), at: 0) == [.sealAll])
  }

  // AMP D28
  @Test func `Amplitude's timer ticks from the start, not from the first event`() {
    let subject = Subject(.amplitude(queueSize: 30, intervalSeconds: 1), startedAt: 100)
    subject.take(.stored(events: 1, bytes: 9), at: 100.1)
    #expect(subject.policy.deadline == 101)
    #expect(subject.take(.timePassed, at: 101) == [.sealAll])
    subject.take(.sealed(eventsLeft: 0, bytesLeft: 0), at: 101)
    #expect(subject.policy.deadline == nil)
    subject.take(.stored(events: 1, bytes: 9), at: 101.5)
    #expect(subject.policy.deadline == 102)
  }

  // AMP D30, AMP D46
  @Test func `what gathers while nothing can be sent leaves together`() {
    let subject = Subject(.amplitude(queueSize: 30, intervalSeconds: 30))
    #expect(subject.take(.uploadFree(false), at: 0).isEmpty)
    for second in 1...100 {
      #expect(subject.take(.stored(events: 1, bytes: 9), at: Double(second)).isEmpty)
      #expect(subject.take(.timePassed, at: Double(second)).isEmpty)
    }
    #expect(subject.take(.uploadFree(true), at: 101) == [.sealAll])
    #expect(subject.take(.uploadFree(true), at: 101).isEmpty)
  }

  // PHA 24
  @Test func `Phase sends twenty at once and fewer 10 s after the last attempt`() {
    let subject = Subject(.phase)
    subject.take(.attempted, at: 0)
    #expect(subject.take(.stored(events: 19, bytes: 9), at: 0).isEmpty)
    #expect(subject.policy.deadline == 10)
    #expect(subject.take(.stored(events: 1, bytes: 9), at: 1) == [.sealAll])
  }

  // PHA 80
  @Test func `Phase's time runs from the last attempt, or from the first event after long rest`() {
    let subject = Subject(.phase)
    subject.take(.stored(events: 5, bytes: 9), at: 0)
    #expect(subject.take(.timePassed, at: 10) == [.sealAll])
    subject.take(.sealed(eventsLeft: 0, bytesLeft: 0), at: 10)
    subject.take(.attempted, at: 10)
    subject.take(.stored(events: 5, bytes: 9), at: 12)
    #expect(subject.policy.deadline == 20)
    subject.take(.sealed(eventsLeft: 0, bytesLeft: 0), at: 20)
    subject.take(.attempted, at: 20)
    #expect(subject.policy.deadline == nil)
    subject.take(.stored(events: 1, bytes: 9), at: 80)
    #expect(subject.policy.deadline == 90)
  }

  // AWS A7, AWS A17
  @Test func `Pinpoint seals nothing by itself, however much there is`() {
    let subject = Subject(.pinpoint)
    #expect(subject.take(.stored(events: 99, bytes: 9), at: 0).isEmpty)
    #expect(subject.take(.timePassed, at: 60).isEmpty)
    #expect(subject.take(.stored(events: 1, bytes: 1_000_000), at: 61).isEmpty)
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, -1, 0, 1e300, .leastNonzeroMagnitude])
  func `no interval an app can give makes a deadline that is none`(seconds: Double) throws {
    for interval in [
      FlushRules.Interval.afterFirstEvent(seconds: seconds), .afterAttempt(seconds: seconds),
      .periodic(seconds: seconds),
    ] {
      let subject = Subject(FlushRules(maxEvents: 0, maxBytes: 0, interval: interval))
      subject.take(.stored(events: 1, bytes: 1), at: 5)
      let due = try #require(subject.policy.deadline)
      #expect(due.isFinite && due >= 5)
      subject.take(.timePassed, at: due)
      #expect(subject.policy.deadline.map { $0 > due } == true)
    }
  }
}
