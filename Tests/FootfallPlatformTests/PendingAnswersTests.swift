import FootfallTesting
import Testing

@testable import FootfallPlatform

@Suite struct `Answers on their way` {
  private static func answers() -> PendingAnswers<String> {
    var answers = PendingAnswers<String>()
    answers.expect(1)
    return answers
  }

  @Test func `an answer is told to who waits, with its head and body`() {
    var answers = Self.answers()
    #expect(answers.wait(for: 1, "caller")?.failure == nil)
    answers.receive(status: 202, headers: [("Retry-After", "3")], of: 1)
    let wantsMore = answers.receive(of: 1) { $0.receive(body: [1, 2]) }
    #expect(wantsMore)
    let told = answers.end(1, nil)
    #expect(told?.0 == "caller")
    #expect(told?.1.status == 202 && told?.1.headers == ["retry-after": "3"])
    #expect(told?.1.body == [1, 2])
    #expect(answers.end(1, nil) == nil, "told once")
  }

  @Test func `a task that ended before anybody waited is told to who comes`() {
    var answers = Self.answers()
    #expect(answers.end(1, .cancelled) == nil)
    #expect(answers.wait(for: 1, "late")?.failure == .cancelled)
  }

  @Test func `a task that nobody expects holds nobody`() {
    var answers = PendingAnswers<String>()
    #expect(answers.wait(for: 7, "caller")?.failure == .cancelled)
    let wantsMore = answers.receive(of: 7) { _ in true }
    #expect(!wantsMore)
  }

  @Test func `a task whose time is over timed out, however it ends`() {
    var answers = Self.answers()
    #expect(answers.wait(for: 1, "caller")?.failure == nil)
    answers.timeOut(1)
    #expect(answers.end(1, .cancelled)?.1.failure == .timedOut)
  }

  @Test func `an answer that was cut for its length is an answer`() {
    var answers = Self.answers()
    #expect(answers.wait(for: 1, "caller")?.failure == nil)
    answers.receive(status: 200, headers: [], of: 1)
    let long = [UInt8](repeating: 1, count: TransportLimits.maxAnswerBytes + 1)
    let wantsMore = answers.receive(of: 1) { $0.receive(body: long) }
    #expect(!wantsMore)
    #expect(answers.end(1, .cancelled)?.1.isCut == true)
  }

  @Test func `an end without a status is no answer`() {
    var answers = Self.answers()
    #expect(answers.wait(for: 1, "caller")?.failure == nil)
    answers.receive(status: nil, headers: [], of: 1)
    #expect(answers.end(1, nil)?.1.failure == .other("the answer is not HTTP"))
  }
}
