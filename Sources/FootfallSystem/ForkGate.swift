/// Keeps forks out of the moments in which a thread of the library is at work.
///
/// What a thread was in the middle of stays half done in a forked child: a lock it held, or something
/// that Swift makes once in a process, for which the child would wait for good. So the library's
/// threads work with a pass and give it back while they wait. A fork waits until all passes are given
/// back, and none is given until it is over.
///
/// A fork waits for `limitSeconds` at most: a thread that takes longer, as in an app's own code, must
/// not hold the app up.
package enum ForkGate {
  /// How long a fork waits for threads at work, in seconds.
  package static let limitSeconds = 2.0

  private struct State {
    /// How many passes each thread has.
    var passes: [ThreadIdentity: Int] = [:]
    /// Threads that are being made and have a pass as soon as they run.
    var beginning = 0
    /// Forks that wait or are under way.
    var forks = 0

    func isFree(for thread: ThreadIdentity) -> Bool {
      beginning == 0 && passes.keys.allSatisfy { $0 == thread }
    }
  }

  private static let state = Monitor(State())

  /// Whether a fork waits for threads at work, or is under way; for tests.
  package static var isClosed: Bool { state.withLock { $0.forks > 0 } }

  /// Runs `body` with a pass; waits before that while a fork is under way.
  ///
  /// Any thread. `body` should not wait for anything.
  package static func work<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    take(1)
    defer { giveBack(1) }
    return try body()
  }

  /// Runs `body`, which waits for something, without the passes that the thread has.
  package static func rest<Result>(_ body: () -> Result) -> Result {
    let passes = state.change { $0.passes.removeValue(forKey: .current) }
    defer { if let passes { take(passes) } }
    return body()
  }

  private static func take(_ number: Int) {
    let thread = ThreadIdentity.current
    state.wait { state -> Void? in
      // Who has one already would wait for the fork that waits for them.
      guard state.forks == 0 || state.passes[thread] != nil else { return nil }
      return state.passes[thread, default: 0] += number
    }
  }

  private static func giveBack(_ number: Int) {
    let thread = ThreadIdentity.current
    state.change { state in
      let left = state.passes[thread, default: 0] - number
      state.passes[thread] = left > 0 ? left : nil
    }
  }
}

// MARK: - Threads that work with a pass from their first moment

extension ForkGate {
  /// A thread is about to be made; whether forks wait for it from now on.
  ///
  /// Never waits: the caller may hold what a fork needs. If not, the thread itself waits.
  static func announce() -> Bool {
    state.withLock { state in
      guard state.forks == 0 else { return false }
      state.beginning += 1
      return true
    }
  }

  /// The calling thread, which was announced, works from here on.
  static func begin(wasAnnounced: Bool) {
    guard wasAnnounced else { return take(1) }
    state.change { state in
      state.beginning -= 1
      state.passes[.current, default: 0] += 1
    }
  }

  /// A thread that was announced could not be made.
  static func withdraw() {
    state.change { $0.beginning -= 1 }
  }

  /// The calling thread ends.
  static func end() {
    state.change { $0.passes[.current] = nil }
  }
}

// MARK: - Forks

extension ForkGate {
  /// Before a fork, on its thread: waits for all others that are at work.
  static func close() {
    let thread = ThreadIdentity.current
    state.withLock { $0.forks += 1 }
    _ = state.wait(timeoutSeconds: limitSeconds) { $0.isFree(for: thread) ? true : nil }
  }

  static func holdForFork() { state.holdForFork() }

  static func releaseInParent() { state.releaseInParent() }

  /// The fork is over.
  static func open() {
    state.change { $0.forks -= 1 }
  }

  /// In the child no other thread is at work.
  static func renewInChild() {
    state.renewInChild()
    state.withLock { state in
      let own = state.passes[.current]
      state = State()
      state.passes[.current] = own
    }
  }
}
