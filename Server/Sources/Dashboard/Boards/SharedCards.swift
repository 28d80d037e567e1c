import Catalog
import FootfallSystem
import HTTPServing

/// The charts of shared boards, for people whom nobody knows.
///
/// Whoever has a link can ask as often as they like, so their questions wait in one line: one is answered
/// at a time, however many ask for the same one, and its answer is good for a minute. The threads that
/// answer everybody else are not held up.
///
/// Any thread.
final class SharedCards: Sendable {
  /// What is asked for: a chart as it stands on a board now.
  struct Key: Sendable, Hashable {
    let board: Int64
    let card: BoardCard
  }

  private struct State {
    var answers: [Key: (html: String, atMs: Int64)] = [:]
    var waiting: [Key: [ReplyHandle]] = [:]
    var line: [(key: Key, make: @Sendable () -> String)] = []
    var isWorking = false
  }

  /// For how long an answer is good, in milliseconds.
  static let lifeMs: Int64 = 60_000
  /// How many answers are kept, and how many requests wait.
  static let limit = 256

  private let state = Lock(State())
  private let nowMs: @Sendable () -> Int64

  init(nowMs: @escaping @Sendable () -> Int64) { self.nowMs = nowMs }

  /// The answer, at once where one is known; `make` asks the store and runs on another thread.
  func reply(_ key: Key, _ make: @escaping @Sendable () -> String) -> Reply {
    if let known = known(key) { return .now(.html(known)) }
    return .later { handle in
      guard self.add(key, handle, make) else {
        handle.finish(Self.busy)
        return
      }
      self.workIfIdle()
    }
  }

  private static var busy: Response {
    var response = Response.html(
      #"<p class="empty-line">Too many people look at once.</p>"#,
      status: 503
    )
    response.setHeader("Retry-After", "5")
    return response
  }

  private func known(_ key: Key) -> String? {
    let now = nowMs()
    return state.withLock { state in
      guard let answer = state.answers[key], (0..<Self.lifeMs).contains(now - answer.atMs) else {
        return nil
      }
      return answer.html
    }
  }

  private func add(
    _ key: Key,
    _ handle: ReplyHandle,
    _ make: @escaping @Sendable () -> String
  ) -> Bool {
    state.withLock { state in
      guard state.waiting.values.reduce(0, { $0 + $1.count }) < Self.limit else { return false }
      if state.waiting[key] == nil { state.line.append((key, make)) }
      state.waiting[key, default: []].append(handle)
      return true
    }
  }

  private func workIfIdle() {
    let mustStart = state.withLock { state in
      defer { state.isWorking = true }
      return !state.isWorking
    }
    guard mustStart else { return }
    do { _ = try SystemThread(name: "ff-shared") { self.work() } } catch {
      // Whoever waits gets an answer all the same, only from this thread.
      work()
    }
  }

  private func work() {
    while let (key, make) = next() {
      let html = make()
      let now = nowMs()
      let handles = state.withLock { state in
        state.answers = state.answers.filter { (0..<Self.lifeMs).contains(now - $0.value.atMs) }
        if state.answers.count < Self.limit { state.answers[key] = (html, now) }
        return state.waiting.removeValue(forKey: key) ?? []
      }
      for handle in handles { handle.finish(.html(html)) }
    }
  }

  private func next() -> (Key, @Sendable () -> String)? {
    state.withLock { state in
      guard !state.line.isEmpty else {
        state.isWorking = false
        return nil
      }
      return state.line.removeFirst()
    }
  }
}
