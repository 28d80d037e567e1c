import FootfallCore
import Testing

@Suite struct `Upload core` {
  static let tooLarge = EventResult.Outcome.dropped(.tooLarge, status: 413, message: "Too much.")

  @Test func `batches go one at a time, oldest first`() {
    let subject = UploadSubject()
    #expect(subject.batch(1) == [.send(1, events: Array(0..<50))])
    #expect(subject.batch(1).isEmpty, "a second seal does not start a second request")
    #expect(subject.take(.answered(.taken)) == [.remove(1)])
    #expect(subject.take(.flush(through: 1)).isEmpty, "batch 1 is not sent while it is removed")
    #expect(subject.batch(2, events: 3) == [.finishFlush(nil), .send(2, events: Array(0..<3))])
    #expect(subject.take(.answered(.taken)) == [.remove(2)])
    #expect(subject.take(.oldest(nil)).isEmpty)
  }

  @Test(arguments: [
    (200, UploadVerdict.delivered(status: 200)), (202, .delivered(status: 202)),
    (204, .delivered(status: 204)), (401, .keyRefused),
    (413, .tooLarge(status: 413, message: "")), (415, .unreadable),
  ])
  func `the table of answers that settle or pause`(status: Int, verdict: UploadVerdict) {
    #expect(AnswerRules().verdict(status: status, retryAfterSeconds: nil) == verdict)
  }

  @Test(arguments: [100, 301, 302, 400, 403, 404, 408, 429, 500, 502, 503])
  func `every other answer is tried again`(status: Int) {
    guard
      case .failed(let problem, nil) = AnswerRules().verdict(
        status: status,
        retryAfterSeconds: nil
      )
    else {
      Issue.record("\(status) should be a failure")
      return
    }
    #expect(problem.kind == .unexpectedAnswer)
    guard case .failed(let busy, 90) = AnswerRules().verdict(status: status, retryAfterSeconds: 90)
    else {
      Issue.record("\(status) should keep its Retry-After")
      return
    }
    #expect(busy.kind == .serverBusy)
  }

  @Test(arguments: ["9223372036854775807", "9223372036854775806", "1000000000", "0"])
  func `a Retry-After of any size is a failure that waits`(value: String) throws {
    let asked = try #require(RetryAfter.seconds(value, now: 0))
    for seconds in [asked, -asked, .infinity, .nan] {
      let verdict = AnswerRules().verdict(status: 503, retryAfterSeconds: seconds)
      guard case .failed(let busy, _) = verdict else {
        Issue.record("\(seconds) should be a failure")
        continue
      }
      #expect(busy.kind == .serverBusy)
    }
  }

  @Test func `a failure waits for its delay and then sends the same events again`() throws {
    let subject = UploadSubject()
    _ = subject.batch(1)
    #expect(
      subject.take(.answered(UploadSubject.failure), at: 100) == [.report(UploadSubject.noNetwork)]
    )
    let due = try #require(subject.core.deadline)
    #expect((100...101).contains(due))
    #expect(subject.take(.timePassed, at: due - 0.001).isEmpty)
    #expect(subject.take(.timePassed, at: due) == [.send(1, events: Array(0..<50))])
    #expect(
      subject.take(.answered(UploadSubject.failure), at: due).isEmpty,
      "reported once per episode"
    )
  }

  @Test func `a refused key pauses for 60 s, then 10 min, with one report`() {
    let subject = UploadSubject()
    _ = subject.batch(1)
    #expect(subject.take(.answered(.keyRefused), at: 0).count == 1)
    #expect(subject.core.deadline == 60)
    #expect(subject.take(.timePassed, at: 59.9).isEmpty)
    #expect(subject.take(.timePassed, at: 60) == [.send(1, events: Array(0..<50))])
    #expect(subject.take(.answered(.keyRefused), at: 60).isEmpty)
    #expect(subject.take(.timePassed, at: 659).isEmpty)
    #expect(subject.take(.timePassed, at: 660) == [.send(1, events: Array(0..<50))])
    #expect(subject.take(.answered(.keyRefused), at: 660).isEmpty)
    #expect(subject.core.deadline == 1_260)
    #expect(subject.take(.timePassed, at: 1_260) == [.send(1, events: Array(0..<50))])
    #expect(subject.take(.answered(.taken), at: 1_260) == [.remove(1)])
    _ = subject.batch(2)
    #expect(subject.take(.answered(.keyRefused), at: 1_300).count == 1, "a new episode")
    #expect(subject.core.deadline == 1_360)
  }

  @Test func `a batch too large is halved until it fits, and a lone event is dropped`() {
    let subject = UploadSubject()
    var effects = subject.batch(1)
    var delivered: [Int] = []
    var requests = 0
    while case .send(1, let events)? = effects.last, requests < 1_000 {
      requests += 1
      let isPoisoned = events.contains(17)
      if !isPoisoned { delivered += events }
      effects = subject.take(.answered(isPoisoned ? .tooMuch : .taken))
    }
    #expect(effects == [.remove(1)])
    #expect(delivered == (0..<50).filter { $0 != 17 })
    #expect(subject.dropped(.tooLarge) == [17])
    #expect(subject.outcomes[1]?[17] == Self.tooLarge)
    #expect(subject.delivered() == delivered)
  }

  @Test func `a failure in the middle of a split goes on with the parts that are left`() throws {
    let subject = UploadSubject()
    _ = subject.batch(1)
    #expect(subject.take(.answered(.tooMuch)) == [.send(1, events: Array(0..<25))])
    #expect(subject.take(.answered(.taken)) == [.send(1, events: Array(25..<50))])
    _ = subject.take(.answered(UploadSubject.failure))
    let due = try #require(subject.core.deadline)
    #expect(subject.take(.timePassed, at: due) == [.send(1, events: Array(25..<50))])
  }

  @Test func `an unreadable batch is put aside and the next one is sent`() {
    let subject = UploadSubject()
    _ = subject.batch(1)
    #expect(subject.take(.answered(.unreadable)) == [.setAside(1)])
    #expect(subject.batch(2) == [.send(2, events: Array(0..<50))])
  }

  @Test func `a flush ends an ordinary wait and reports the first failure`() {
    let subject = UploadSubject()
    _ = subject.batch(1)
    _ = subject.take(.answered(UploadSubject.failure), at: 0)
    #expect(subject.take(.flush(through: 2), at: 0) == [.send(1, events: Array(0..<50))])
    #expect(
      subject.take(.answered(UploadSubject.failure), at: 0) == [
        .finishFlush(UploadSubject.noNetwork)
      ]
    )
  }

  @Test func `a flush does not break a Retry-After or a key pause`() {
    let busy = DeliveryProblem(.serverBusy, "Busy.")
    let subject = UploadSubject()
    _ = subject.batch(1)
    _ = subject.take(.answered(.failed(busy, retryAfterSeconds: 90)), at: 0)
    #expect(subject.take(.flush(through: 1), at: 1) == [.finishFlush(busy)])
    #expect(subject.take(.timePassed, at: 89.9).isEmpty)
    #expect(subject.take(.timePassed, at: 90) == [.send(1, events: Array(0..<50))])
  }

  @Test func `a flush ends when the batches of its time are gone, not later ones`() {
    let subject = UploadSubject()
    _ = subject.batch(1)
    #expect(subject.take(.flush(through: 2)).isEmpty)
    _ = subject.take(.answered(.taken))
    #expect(subject.batch(2) == [.send(2, events: Array(0..<50))])
    _ = subject.take(.answered(.taken))
    #expect(subject.batch(3) == [.finishFlush(nil), .send(3, events: Array(0..<50))])
  }

  @Test func `a flush with nothing stored ends at once`() {
    let subject = UploadSubject()
    #expect(subject.take(.flush(through: 0)) == [.finishFlush(nil)])
  }

  @Test func `nothing is sent after a stop, and a late answer changes nothing`() {
    let off = DeliveryProblem(.disabled, "Collection is off.")
    let subject = UploadSubject()
    _ = subject.batch(1)
    #expect(subject.take(.flush(through: 1)).isEmpty)
    #expect(subject.take(.stop(off)) == [.finishFlush(off)])
    #expect(subject.take(.answered(.taken)).isEmpty)
    #expect(subject.batch(1).isEmpty)
    #expect(subject.core.deadline == nil)
    #expect(subject.take(.resume) == [.send(1, events: Array(0..<50))])
  }
}
