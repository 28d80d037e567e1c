import FootfallCore
import Testing

@Suite struct `Partial answers` {
  static let refused = EventVerdict.refused(status: 400, reason: "user_id", message: "Bad id.")
  static let again = EventVerdict.again(countsAsTry: false)
  static let failed = EventVerdict.again(countsAsTry: true, status: 500, message: "Fault.")

  // AMP D7, AMP D12
  @Test func `refused events are dropped with the server's words, the rest goes at once`() {
    let subject = UploadSubject(.amplitude(maxRetries: 6))
    subject.batch(1, events: 2)
    let effects = subject.take(.answered(.partial([Self.refused, Self.again])))
    #expect(effects == [.send(1, events: [1])])
    #expect(
      subject.outcomes[1] == [
        0: .dropped(.rejectedByServer, status: 400, message: "Bad id.")
      ]
    )
    #expect(subject.take(.answered(.delivered(status: 200))) == [.remove(1)])
    #expect(subject.outcomes[1]?[1] == .delivered(status: 200))
  }

  // AMP D32
  @Test func `events that are not neighbours are sent together`() {
    let subject = UploadSubject(.amplitude(maxRetries: 6))
    subject.batch(1, events: 4)
    let answer = [Self.again, Self.refused, Self.refused, Self.again]
    #expect(subject.take(.answered(.partial(answer))) == [.send(1, events: [0, 3])])
    #expect(subject.take(.answered(.taken)) == [.remove(1)])
    #expect(subject.dropped(.rejectedByServer) == [1, 2])
    #expect(subject.delivered() == [0, 3])
  }

  @Test func `the server's own name for a refusal travels with the settlement`() {
    let subject = UploadSubject()
    subject.batch(1, events: 1)
    let effects = subject.core.receive(
      .answered(.partial([Self.refused])),
      at: 0,
      using: &subject.random
    )
    guard case .settled(1, let settlements)? = effects.first else {
      Issue.record("The refusal is not settled.")
      return
    }
    #expect(settlements.map(\.serverReason) == ["user_id"])
  }

  // PHA 26, PHA 27
  @Test func `an event that fails by itself is dropped when its fifth retry fails`() throws {
    let subject = UploadSubject(.phase)
    subject.batch(1, events: 6)
    var verdicts = [EventVerdict](repeating: .delivered(status: 207), count: 6)
    verdicts[3] = .refused(status: 207, reason: "VALIDATION_ERROR", message: "")
    verdicts[5] = Self.failed
    subject.take(.answered(.partial(verdicts)), at: 0)
    #expect(subject.delivered() == [0, 1, 2, 4])
    #expect(subject.dropped(.rejectedByServer) == [3])
    var attempts = 1
    var ended: [UploadCore.Effect] = []
    while let due = subject.core.deadline, attempts < 100 {
      attempts += 1
      #expect(subject.take(.timePassed, at: due) == [.send(1, events: [5])])
      ended = subject.take(.answered(.partial([Self.failed])), at: due)
    }
    #expect(attempts == 6)
    #expect(ended == [.remove(1)])
    #expect(
      subject.outcomes[1]?[5] == .dropped(.triedTooOften, status: 500, message: "Fault.")
    )
  }

  @Test func `failures of the whole request use up no retries`() throws {
    let subject = UploadSubject(.phase)
    subject.batch(1, events: 1)
    var now = 0.0
    for _ in 0..<50 {
      subject.take(.answered(.status(503)), at: now)
      now = try #require(subject.core.deadline)
      #expect(subject.take(.timePassed, at: now) == [.send(1, events: [0])])
    }
    #expect(subject.outcomes.isEmpty)
  }

  @Test(arguments: [0, 1])
  func `events the answer does not speak of are sent again, not at once without progress`(
    spoken: Int
  ) throws {
    let subject = UploadSubject()
    subject.batch(1, events: 3)
    let verdicts = [EventVerdict](repeating: .delivered(status: 202), count: spoken)
    let effects = subject.take(.answered(.partial(verdicts)), at: 5)
    if spoken > 0 {
      #expect(effects == [.send(1, events: [1, 2])])
    } else {
      let due = try #require(subject.core.deadline)
      #expect(subject.take(.timePassed, at: due) == [.send(1, events: [0, 1, 2])])
    }
  }

  @Test func `more verdicts than events change nothing`() {
    let subject = UploadSubject()
    subject.batch(1, events: 1)
    let verdicts = [EventVerdict](repeating: .delivered(status: 202), count: 5)
    #expect(subject.take(.answered(.partial(verdicts))) == [.remove(1)])
    #expect(subject.delivered() == [0])
  }

  // AMP D11
  @Test func `a batch refused for good is dropped whole, and the next one goes`() {
    let subject = UploadSubject(.amplitude(maxRetries: 6))
    subject.batch(1, events: 3)
    let refusal = UploadVerdict.refused(status: 400, message: "Invalid API key: KEY")
    #expect(subject.take(.answered(refusal)) == [.remove(1)])
    for event in 0..<3 {
      #expect(
        subject.outcomes[1]?[event]
          == .dropped(.batchRefused, status: 400, message: "Invalid API key: KEY")
      )
    }
    #expect(subject.batch(2, events: 1) == [.send(2, events: [0])])
  }

  // AMP D24
  @Test func `a refusal that names no event is tried so often and not for ever`() {
    let subject = UploadSubject(.amplitude(maxRetries: 6))
    subject.batch(1, events: 2)
    var attempts = 1
    var now = 0.0
    let refusal = UploadVerdict.unexplained(status: 400, message: "General.")
    while subject.take(.answered(refusal), at: now) != [.remove(1)], attempts < 100 {
      if subject.core.isOffline {
        #expect(attempts == 7, "AMP D14: the seventh failure")
        #expect(subject.take(.offline(false), at: now).last == .send(1, events: [0, 1]))
      } else {
        now = subject.core.deadline ?? now
        #expect(subject.take(.timePassed, at: now) == [.send(1, events: [0, 1])])
      }
      attempts += 1
    }
    #expect(attempts == 10)
    #expect(subject.dropped(.triedTooOften) == [0, 1])
  }

  @Test func `a malformed event is found by halving and dropped alone`() {
    let subject = UploadSubject(.phase)
    var effects = subject.batch(1)
    var requests = 0
    while case .send(1, let events)? = effects.last, requests < 1_000 {
      requests += 1
      effects = subject.take(.answered(events.contains(31) ? .bad : .taken))
    }
    #expect(effects == [.remove(1)])
    #expect(subject.dropped(.malformed) == [31])
    #expect(subject.delivered().count == 49)
  }

  @Test func `what is left of a partial answer is split when it is too large`() {
    let subject = UploadSubject(.amplitude(maxRetries: 6))
    subject.batch(1, events: 4)
    let answer = [Self.again, Self.refused, Self.again, Self.again]
    #expect(subject.take(.answered(.partial(answer))) == [.send(1, events: [0, 2, 3])])
    #expect(subject.take(.answered(.tooMuch)) == [.send(1, events: [0, 2])])
    #expect(subject.take(.answered(.taken)) == [.send(1, events: [3])])
    #expect(subject.take(.answered(.taken)) == [.remove(1)])
  }
}
