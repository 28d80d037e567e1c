import FootfallCore
import Testing

@Suite struct `Delivery rules` {
  /// The times of the attempts, while every one of them fails like this.
  static func attempts(
    _ rules: DeliveryRules,
    _ verdict: UploadVerdict,
    most: Int = 40,
    seed: UInt64 = 9
  ) -> (times: [Double], isOffline: Bool) {
    let subject = UploadSubject(rules, seed: seed)
    subject.batch(1, events: 1)
    var times = [0.0]
    subject.take(.answered(verdict), at: 0)
    while let due = subject.core.deadline, times.count < most {
      subject.take(.timePassed, at: due)
      times.append(due)
      subject.take(.answered(verdict), at: due)
    }
    return (times, subject.core.isOffline)
  }

  static func waits(_ times: [Double]) -> [Double] {
    zip(times.dropFirst(), times).map { $0 - $1 }
  }

  // AMP D13, AMP D14, AMP D34
  @Test(arguments: [
    (2, [1.0, 2]), (6, [1, 2, 4, 8, 16, 32]), (10, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60]), (0, []),
  ])
  func `Amplitude waits exactly, and is offline after its last retry`(
    maxRetries: Int,
    waits: [Double]
  ) {
    let (times, isOffline) = Self.attempts(.amplitude(maxRetries: maxRetries), .status(503))
    #expect(Self.waits(times) == waits)
    #expect(isOffline)
  }

  // AMP D15, AMP D39
  @Test(arguments: [
    (UploadSubject.failure, true), (.timedOut, false), (.status(429), false), (.status(404), false),
  ])
  func `Amplitude is offline at once when the server cannot be reached, not when it is slow`(
    verdict: UploadVerdict,
    isOffline: Bool
  ) {
    let subject = UploadSubject(.amplitude(maxRetries: 6))
    subject.batch(1)
    let effects = subject.take(.answered(verdict))
    #expect(effects.contains(.offlineChanged(true)) == isOffline)
    #expect(subject.core.isOffline == isOffline)
    #expect((subject.core.deadline == nil) == isOffline)
  }

  // AMP D35
  @Test func `a success lets Amplitude's waits begin anew`() throws {
    let subject = UploadSubject(.amplitude(maxRetries: 6))
    subject.batch(1)
    var now = 0.0
    for _ in 0..<6 {
      subject.take(.answered(.status(503)), at: now)
      now = try #require(subject.core.deadline)
      subject.take(.timePassed, at: now)
    }
    subject.take(.answered(.taken), at: now)
    subject.batch(2, at: now)
    subject.take(.answered(.status(503)), at: now)
    #expect(!subject.core.isOffline)
    #expect(subject.core.deadline == now + 1)
  }

  // AMP D8
  @Test func `batches that end in a drop are no failures`() {
    let subject = UploadSubject(.amplitude(maxRetries: 1))
    let refused = EventVerdict.refused(status: 400, reason: "time", message: "")
    let answers: [UploadVerdict] = [.partial([refused]), .tooMuch, .taken]
    for (index, answer) in answers.enumerated() {
      let number = UInt64(index + 1)
      #expect(subject.batch(number, events: 1) == [.send(number, events: [0])])
      #expect(subject.take(.answered(answer)) == [.remove(number)])
    }
    #expect(!subject.core.isOffline)
  }

  // SDL 35
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `SimpleDataLogs waits a random part of a doubling bound up to 300 s`(seed: UInt64) {
    let waits = Self.waits(Self.attempts(.simpleDataLogs, .status(500), seed: seed).times)
    for (failure, wait) in waits.enumerated() {
      #expect((0...min(300, Double(1 << min(failure, 9)))).contains(wait), "seed \(seed)")
    }
  }

  // PHA 29, PHA 83
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `Phase waits half to all of a doubling bound up to 300 s`(seed: UInt64) {
    let waits = Self.waits(Self.attempts(.phase, .status(500), seed: seed).times)
    for (failure, wait) in waits.enumerated() {
      let bound = min(300, 2 * Double(1 << min(failure, 9)))
      #expect(wait >= bound / 2 - 1e-6 && wait <= bound + 1e-6, "seed \(seed)")
    }
    #expect(Set(waits.suffix(10)).count > 1)
  }

  // SDL 28, PHA 39
  @Test(arguments: [
    (DeliveryRules.simpleDataLogs, [60.0, 660, 1_260]), (.phase, [300, 600, 900]),
  ])
  func `a refused key pauses as long as the rules say`(rules: DeliveryRules, probes: [Double]) {
    let times = Self.attempts(rules, .keyRefused, most: 4).times
    #expect(Array(times.dropFirst()) == probes)
  }

  @Test func `without a pause a refused key is a failure like any other`() {
    let times = Self.attempts(.amplitude(maxRetries: 2), .keyRefused).times
    #expect(times == [0, 1, 3])
  }

  @Test(arguments: [DeliveryRules.amplitude(maxRetries: 6), .phase])
  func `a flush changes nothing about a wait of Amplitude or Phase`(rules: DeliveryRules) {
    let subject = UploadSubject(rules)
    subject.batch(1)
    subject.take(.answered(.status(500)), at: 0)
    let due = subject.core.deadline
    let reason = DeliveryProblem(.unexpectedAnswer, "The server answered 500.")
    #expect(subject.take(.flush(through: 1), at: 0.1) == [.finishFlush(reason)])
    #expect(subject.core.deadline == due)
    #expect(
      subject.take(.flush(through: 1, kind: .urgent), at: 0.2).last
        == .send(1, events: Array(0..<50))
    )
  }

  // PHA 81
  @Test func `a flush during a Retry-After returns, and the events go when it is over`() {
    let subject = UploadSubject(.phase)
    subject.batch(1, events: 12)
    subject.take(.answered(.status(503, retryAfter: 60)), at: 0)
    #expect(subject.take(.flush(through: 1), at: 5).count == 1)
    #expect(!subject.core.isSending)
    #expect(subject.core.deadline == 60)
    #expect(subject.take(.timePassed, at: 60) == [.send(1, events: Array(0..<12))])
  }

  @Test(arguments: [Double.nan, -.infinity, .infinity, -1, 0, 1e300, .leastNonzeroMagnitude])
  func `no number an app can give makes a wait that is none`(odd: Double) {
    var rules = DeliveryRules()
    rules.backoff = BackoffShape(firstSeconds: odd, largestSeconds: odd, leastShare: odd)
    rules.retryAfterCapSeconds = odd
    rules.keyPause = DeliveryRules.KeyPause(firstSeconds: odd, laterSeconds: odd)
    let verdicts: [UploadVerdict] = [
      .status(500), .status(503, retryAfter: odd), .status(503, retryAfter: 7), .keyRefused,
    ]
    for verdict in verdicts {
      let times = Self.attempts(rules, verdict, most: 70).times
      #expect(times.count == 70)
      #expect(times.allSatisfy { $0.isFinite && $0 >= 0 })
    }
  }
}
