import FootfallCore
import Testing

@Suite struct `Flush of the upload core` {
  // SDL 81
  @Test(arguments: [UploadVerdict.status(500), .status(503, retryAfter: 200), .keyRefused])
  func `a last pass ends every wait and makes one attempt`(verdict: UploadVerdict) {
    for rules in [DeliveryRules.native, .simpleDataLogs, .phase] {
      let subject = UploadSubject(rules)
      subject.batch(1, events: 1)
      subject.take(.answered(verdict), at: 0)
      #expect(subject.take(.flush(through: 1, kind: .last), at: 0) == [.send(1, events: [0])])
      guard case .finishFlush? = subject.take(.answered(verdict), at: 0).last else {
        Issue.record("The pass should end with the first failure.")
        return
      }
      #expect(!subject.core.isSending)
    }
  }

  @Test func `a last pass goes on as long as the server takes batches`() {
    let subject = UploadSubject()
    subject.batch(1, events: 1)
    subject.take(.answered(.keyRefused), at: 0)
    subject.take(.flush(through: 2, kind: .last), at: 0)
    #expect(subject.take(.answered(.taken), at: 0) == [.remove(1)])
    #expect(subject.batch(2, events: 1) == [.send(2, events: [0])])
    #expect(subject.take(.answered(.taken), at: 0) == [.remove(2)])
    #expect(subject.take(.oldest(nil)) == [.finishFlush(nil)])
  }

  @Test func `a last pass goes out whatever the network is said to be, not against the app`() {
    let subject = UploadSubject(.amplitude(maxRetries: 6))
    subject.take(.connectivity(isOnline: false))
    subject.batch(1, events: 1)
    #expect(subject.take(.flush(through: 1, kind: .last)) == [.send(1, events: [0])])
    subject.take(.answered(.timedOut))
    subject.take(.offline(true))
    #expect(subject.take(.flush(through: 1, kind: .last)).count == 1)
    #expect(!subject.core.isSending)
  }

  @Test func `an urgent flush ends an ordinary wait, no Retry-After and no key pause`() {
    for (verdict, sends) in [
      (UploadVerdict.status(500), true), (.status(503, retryAfter: 9), false), (.keyRefused, false),
    ] {
      let subject = UploadSubject(.simpleDataLogs)
      subject.batch(1, events: 1)
      subject.take(.answered(verdict))
      let effects = subject.take(.flush(through: 1, kind: .urgent))
      #expect(effects.contains(.send(1, events: [0])) == sends)
      #expect(effects.count == 1)
    }
  }

  @Test func `a flush joins the one that runs and adds what came since`() {
    let subject = UploadSubject()
    subject.batch(1, events: 1)
    #expect(subject.take(.flush(through: 1)).isEmpty)
    #expect(subject.take(.flush(through: 2)).isEmpty)
    subject.take(.answered(.taken))
    #expect(subject.batch(2, events: 1) == [.send(2, events: [0])])
    subject.take(.answered(.taken))
    #expect(subject.batch(3, events: 1).first == .finishFlush(nil))
  }

  @Test func `a batch that is gone is left without a settlement`() {
    let subject = UploadSubject()
    subject.batch(1, events: 1)
    #expect(subject.take(.gone) == [.remove(1)])
    #expect(subject.outcomes.isEmpty)
    #expect(subject.batch(2, events: 1) == [.send(2, events: [0])])
  }

  // AWS A6
  @Test func `Pinpoint sends only when asked, and a missing network costs no retry`() {
    let subject = UploadSubject(.pinpoint)
    #expect(subject.batch(1, events: 10).isEmpty)
    for submission in 0..<10 {
      let now = Double(submission)
      #expect(subject.take(.flush(through: 1), at: now) == [.send(1, events: Array(0..<10))])
      let effects = subject.take(.answered(UploadSubject.failure), at: now)
      #expect(effects.last == .finishFlush(UploadSubject.noNetwork))
      #expect(subject.core.deadline == nil)
    }
    #expect(subject.outcomes.isEmpty)
    subject.take(.flush(through: 1), at: 20)
    subject.take(.answered(.taken), at: 20)
    #expect(subject.delivered() == Array(0..<10))
  }

  // AWS A8, AWS A9
  @Test func `Pinpoint drops an event at its fourth failure, one each time it is asked`() {
    let subject = UploadSubject(.pinpoint)
    subject.batch(1, events: 3)
    subject.take(.flush(through: 1))
    let failed = EventVerdict.again(countsAsTry: true, status: 500, message: "")
    let refused = EventVerdict.refused(status: 400, reason: "BadRequestException", message: "")
    subject.take(.answered(.partial([.delivered(status: 202), failed, refused])))
    #expect(subject.delivered() == [0])
    #expect(subject.dropped(.rejectedByServer) == [2])
    for _ in 2...4 {
      #expect(subject.dropped(.triedTooOften).isEmpty)
      #expect(subject.take(.flush(through: 1)) == [.send(1, events: [1])])
      subject.take(.answered(.partial([failed])))
    }
    #expect(subject.dropped(.triedTooOften) == [1])
  }

  @Test func `Pinpoint sends a failed request three more times before the flush ends`() throws {
    let subject = UploadSubject(.pinpoint)
    subject.batch(1, events: 1)
    subject.take(.flush(through: 1), at: 0)
    var now = 0.0
    for resend in 0..<3 {
      let effects = subject.take(.answered(.status(500)), at: now)
      #expect(!effects.contains { if case .finishFlush = $0 { true } else { false } })
      let due = try #require(subject.core.deadline)
      #expect(due - now <= 0.1 * Double(1 << resend))
      #expect(subject.take(.flush(through: 1), at: now).isEmpty, "a second one joins")
      now = due
      #expect(subject.take(.timePassed, at: now) == [.send(1, events: [0])])
    }
    guard case .finishFlush? = subject.take(.answered(.status(500)), at: now).last else {
      Issue.record("The fourth failure should end the flush.")
      return
    }
    #expect(subject.core.deadline == nil)
  }
}
