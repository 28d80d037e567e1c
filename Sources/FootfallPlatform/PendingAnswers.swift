/// The answers of requests on their way, from the moment a request is made to the one its end is told.
///
/// A value without a clock or a lock: a task may end before anybody waits for it, and after its time is
/// over. `Waiter` is who is told.
struct PendingAnswers<Waiter> {
  private struct Pending {
    var status: Int?
    var answer = HTTPAnswer()
    var isOver = false
    var end: UploadResponse?
    var waiter: Waiter?

    func response(_ failure: TransportFailure?) -> UploadResponse {
      // An answer that is long enough was cut by us, which looks like a failure.
      guard let status, failure == nil || answer.isCut else {
        return .failed(isOver ? .timedOut : failure ?? .other("the answer is not HTTP"))
      }
      return .answered(status: status, headers: answer.headers, body: answer.body)
    }
  }
  private var pending: [Int: Pending] = [:]

  /// Who waits for which answer, and nothing of those that were told.
  init() {}

  /// A task was made; call it before the task can end.
  mutating func expect(_ task: Int) { pending[task] = Pending() }

  /// Someone waits for a task; the answer if it has come already, and nobody is kept.
  ///
  /// A task that was not expected counts as cancelled.
  mutating func wait(for task: Int, _ waiter: Waiter) -> UploadResponse? {
    guard let known = pending[task] else { return .failed(.cancelled) }
    guard let end = known.end else {
      pending[task]?.waiter = waiter
      return nil
    }
    pending[task] = nil
    return end
  }

  /// The time of a task is over: however it ends now, it timed out.
  mutating func timeOut(_ task: Int) { pending[task]?.isOver = true }

  /// The head of an answer has come.
  mutating func receive(status: Int?, headers: [(String, String)], of task: Int) {
    pending[task]?.status = status
    for (name, value) in headers { pending[task]?.answer.receive(header: name, value: value) }
  }

  /// A piece of an answer has come; whether more of it is wanted.
  mutating func receive(of task: Int, _ body: (inout HTTPAnswer) -> Bool) -> Bool {
    guard pending[task] != nil else { return false }
    return body(&pending[task, default: Pending()].answer)
  }

  /// A task ended, with what was wrong if anything was; who is to be told of what, if anybody waits.
  mutating func end(_ task: Int, _ failure: TransportFailure?) -> (Waiter, UploadResponse)? {
    guard let known = pending[task], known.end == nil else { return nil }
    let response = known.response(failure)
    guard let waiter = known.waiter else {
      pending[task]?.end = response
      return nil
    }
    pending[task] = nil
    return (waiter, response)
  }
}
