import EventStore
import FootfallSystem
import HTTPServing
import Insights
import Testing

@testable import Dashboard

/// Questions that take longer than a page waits.
@Suite struct `A question that takes long` {
  /// A store that answers once it is told to, and stops when nobody wants its answer.
  private final class Gate: Sendable {
    private let isOpen = Monitor(false)

    init(_ store: InMemoryEventStore) {
      let isOpen = isOpen
      store.beforeAnswers { cancellation in
        cancellation?.progress?.note(0.42)
        let isThrough: Void? = isOpen.wait(timeoutSeconds: 30) { isOpen in
          isOpen || cancellation?.isCancelled == true ? () : nil
        }
        if cancellation?.isCancelled == true { throw StoreError.cancelled }
        if isThrough == nil { throw StoreError.timedOut(seconds: 30) }
      }
    }

    func open() { isOpen.change { $0 = true } }

    /// Lets whoever waits see what changed elsewhere.
    func nudge() { isOpen.change { _ in } }
  }

  private let fixture: DashboardFixture
  private let gate: Gate

  init() throws {
    let events = [DashboardFixture.event(1, name: "Opened", secondsAgo: 60)]
    fixture = try DashboardFixture(events: events, answerPatienceSeconds: 0)
    gate = Gate(fixture.store)
  }

  /// The part of a page that asks again, and where it does.
  private func again(_ response: Response) throws -> String {
    let match = try #require(response.text.firstMatch(of: /hx-get="([^"]*run=[^"]*)"/))
    return String(match.1).replacing("&amp;", with: "&")
  }

  /// Asks until the answer is there; fails after many times.
  private func answer(_ browser: Browser, _ address: String) async throws -> Response {
    for _ in 0..<10_000 {
      let response = await browser.get(address)
      if !response.text.contains("Counting…") { return response }
    }
    Issue.record("The answer did not come.")
    return await browser.get(address)
  }

  @Test func `shows its form at once, then how far it is, then the answer`() async throws {
    let browser = try fixture.signIn()
    let first = await browser.get("/projects/1/insights/trend?events=Opened")
    #expect(first.status == 200)
    #expect(first.text.contains(#"id="ask""#))
    #expect(first.text.contains(#"role="status">Counting…</p>"#))
    let again = try again(first)
    #expect(again.hasPrefix("/projects/1/insights/trend?"))
    var second = await browser.get(again)
    while !second.text.contains(#"value="42""#) { second = await browser.get(again) }
    #expect(second.text.contains("0 s so far."))
    #expect(try self.again(second) == again)
    gate.open()
    let last = try await answer(browser, again)
    #expect(last.text.contains(#"<p class="figure-value num">1"#))
    #expect(!last.text.contains("class=\"card waiting\""))
  }

  @Test func `is stopped by a button`() async throws {
    let browser = try fixture.signIn()
    let first = await browser.get("/projects/1/insights/trend?events=Opened")
    let again = try again(first)
    let run = try #require(first.text.firstMatch(of: /name="run" value="([0-9a-f]+)"/)).1
    let stopped = try await browser.submit(
      "/projects/1/insights/trend/stop?events=Opened",
      ["run": String(run)],
      from: again
    )
    #expect(stopped.status == 303)
    #expect(stopped.header("Location") == again)
    gate.nudge()
    let last = try await answer(browser, again)
    #expect(last.status == 200)
    #expect(last.text.contains("The question was stopped."))
  }

  @Test func `of somebody else is neither seen nor stopped`() async throws {
    let browser = try fixture.signIn()
    let first = await browser.get("/projects/1/insights/trend?events=Opened")
    let again = try again(first)
    let run = try #require(first.text.firstMatch(of: /name="run" value="([0-9a-f]+)"/)).1
    let other = try fixture.signIn()
    let stopped = try await other.submit(
      "/projects/1/insights/trend/stop?events=Opened",
      ["run": String(run)],
      from: "/projects/1/live"
    )
    #expect(stopped.status == 303)
    gate.nudge()
    // What is another's is asked anew.
    #expect(await other.get(again).text.contains("Counting…"))
    gate.open()
    #expect(try await answer(browser, again).text.contains(#"<p class="figure-value num">1"#))
  }

  @Test func `says on its page what is wrong with it, without being asked`() async throws {
    let browser = try fixture.signIn()
    let response = await browser.get("/projects/1/insights/trend?measure=sum")
    #expect(response.status == 422)
    #expect(!response.text.contains("Counting…"))
  }
}

/// The questions under way, as a value with a clock of its own.
@Suite struct `Questions under way` {
  private static let report = Report(
    title: "T",
    definition: "D",
    fromMs: 0,
    toMs: 1,
    interval: .day
  )

  private func name(_ run: String, visitor: String = "a") -> QuestionRuns.Name {
    QuestionRuns.Name(visitor: visitor, question: "/q", run: run)
  }

  @Test func `answer is given out once`() throws {
    let runs = QuestionRuns { 0 }
    try runs.start(name("1")) { _ in Self.report }
    guard case .over(.success) = runs.standing(of: name("1"), waitingSeconds: 30) else {
      Issue.record("no answer")
      return
    }
    guard case .unknown = runs.standing(of: name("1")) else {
      Issue.record("given out twice")
      return
    }
  }

  @Test func `question that nobody comes back for is not wanted any more`() throws {
    let clock = Lock(0.0)
    let runs = QuestionRuns(patienceSeconds: 10) { clock.withLock { $0 } }
    let asked = Monitor<Cancellation?>(nil)
    let mayEnd = Monitor(false)
    try runs.start(name("1")) { cancellation in
      asked.change { $0 = cancellation }
      mayEnd.wait { $0 ? () : nil }
      return Self.report
    }
    let isWanted = try #require(asked.wait { $0 }.isWanted)
    clock.withLock { $0 = 9 }
    #expect(isWanted())
    _ = runs.standing(of: name("1"))
    clock.withLock { $0 = 18 }
    #expect(isWanted())
    clock.withLock { $0 = 19 }
    #expect(!isWanted())
    mayEnd.change { $0 = true }
  }

  @Test func `ninth question of a visitor takes the place of the first`() throws {
    let runs = QuestionRuns { 0 }
    let mayEnd = Monitor(false)
    for run in 1...9 {
      try runs.start(name("\(run)")) { _ in
        mayEnd.wait { $0 ? () : nil }
        return Self.report
      }
    }
    guard case .unknown = runs.standing(of: name("1")) else {
      Issue.record("the first is still asked")
      return
    }
    for run in 2...9 {
      guard case .running = runs.standing(of: name("\(run)")) else {
        Issue.record("question \(run) is not asked")
        return
      }
    }
    mayEnd.change { $0 = true }
  }

  @Test func `questions of all visitors are bounded, and room is made by time`() throws {
    let clock = Lock(0.0)
    let runs = QuestionRuns(patienceSeconds: 10) { clock.withLock { $0 } }
    for run in 0..<QuestionRuns.limit {
      let name = name("\(run)", visitor: "\(run)")
      try runs.start(name) { _ in Self.report }
    }
    let one = name("1", visitor: "one more")
    #expect(throws: QuestionRuns.crowded) {
      try runs.start(one) { _ in Self.report }
    }
    // Once all are answered and nobody fetched them.
    clock.withLock { $0 = 11 }
    while true {
      do throws(StoreError) {
        try runs.start(one) { _ in Self.report }
        break
      } catch { #expect(error == QuestionRuns.crowded) }
    }
  }
}
