import FootfallCore
import Testing

@Suite struct `Offline` {
  static let amplitude = DeliveryRules.amplitude(maxRetries: 6)

  // AMP D16, AMP D38
  @Test func `the app's switch holds everything, and sends it when it is set back`() {
    let subject = UploadSubject(Self.amplitude)
    #expect(subject.take(.offline(true)) == [.offlineChanged(true)])
    #expect(subject.take(.offline(true)).isEmpty)
    #expect(subject.batch(1, events: 3).isEmpty)
    guard case .finishFlush(let reason?)? = subject.take(.flush(through: 1)).first else {
      Issue.record("The flush should say why.")
      return
    }
    #expect(reason.kind == .offline)
    #expect(
      subject.take(.offline(false)) == [.offlineChanged(false), .send(1, events: [0, 1, 2])]
    )
  }

  // AMP D36
  @Test(arguments: [UploadVerdict.failedOffline, .status(503)])
  func `a network that returns ends what failures began`(verdict: UploadVerdict) {
    let subject = UploadSubject(.amplitude(maxRetries: 0))
    subject.batch(1, events: 1)
    subject.take(.answered(verdict))
    #expect(subject.core.isOffline)
    subject.take(.connectivity(isOnline: false))
    let effects = subject.take(.connectivity(isOnline: true))
    #expect(effects == [.offlineChanged(false), .send(1, events: [0])])
  }

  // AMP D17: without a monitor nothing but the app's switch ends it.
  @Test func `without a monitor the client stays offline until the app says otherwise`() {
    let subject = UploadSubject(Self.amplitude)
    subject.batch(1, events: 1)
    subject.take(.answered(UploadSubject.failure))
    #expect(subject.take(.timePassed, at: 1e6).isEmpty)
    #expect(subject.take(.flush(through: 1), at: 1e6).count == 1)
    #expect(subject.take(.offline(false)).last == .send(1, events: [0]))
  }

  // AMP D46
  @Test func `a monitor's word holds Amplitude and Phase, not the others`() {
    for (rules, waits) in [
      (Self.amplitude, true), (.phase, true), (.native, false), (.simpleDataLogs, false),
    ] {
      let subject = UploadSubject(rules)
      #expect(subject.take(.connectivity(isOnline: false)).isEmpty != waits)
      #expect(subject.batch(1, events: 1).isEmpty == waits)
      #expect(subject.core.isOffline == waits)
      let effects = subject.take(.connectivity(isOnline: true))
      #expect(effects.contains(.send(1, events: [0])) == waits)
    }
  }

  @Test func `the first report does not overrule the app, a network that returns does`() {
    let subject = UploadSubject(Self.amplitude)
    subject.take(.offline(true))
    #expect(subject.take(.connectivity(isOnline: true)).isEmpty)
    #expect(subject.take(.connectivity(isOnline: false)).isEmpty)
    #expect(subject.take(.connectivity(isOnline: true)) == [.offlineChanged(false)])
  }

  // PHA 28, PHA 79
  @Test(arguments: [DeliveryRules.native, .phase, .amplitude(maxRetries: 6)])
  func `a network that returns ends an ordinary wait and no Retry-After`(rules: DeliveryRules) {
    let subject = UploadSubject(rules)
    subject.batch(1, events: 1)
    subject.take(.answered(.status(503, retryAfter: 120)), at: 0)
    subject.take(.connectivity(isOnline: false), at: 30)
    #expect(!subject.take(.connectivity(isOnline: true), at: 31).contains(.send(1, events: [0])))
    #expect(subject.core.deadline == 120)
    subject.take(.timePassed, at: 120)
    subject.take(.answered(.status(503)), at: 120)
    subject.take(.connectivity(isOnline: false), at: 120)
    #expect(subject.take(.connectivity(isOnline: true), at: 120).last == .send(1, events: [0]))
  }

  @Test func `an answer that comes while offline still counts, and nothing follows it`() {
    let subject = UploadSubject(Self.amplitude)
    subject.batch(1, events: 1)
    #expect(subject.take(.offline(true)) == [.offlineChanged(true)])
    #expect(subject.take(.answered(.taken)) == [.remove(1)])
    #expect(subject.batch(2, events: 1).isEmpty)
    #expect(!subject.core.isFree)
  }
}

extension UploadVerdict {
  static let failedOffline = UploadSubject.failure
}
