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
    /// How many passes each thread has; a list, since there are a handful of threads.
    var passes: [Passes] = []
    /// Threads that are being made and have a pass as soon as they run.
    var beginning = 0
    /// Forks that wait or are under way.
    var forks = 0

    func isFree(for thread: ThreadIdentity) -> Bool {
      beginning == 0 && passes.allSatisfy { $0.thread == thread }
    }

    func passes(of thread: ThreadIdentity) -> Int {
      passes.first { $0.thread == thread }?.number ?? 0
    }

    mutating func give(_ number: Int, to thread: ThreadIdentity) {
      if let place = passes.firstIndex(where: { $0.thread == thread }) {
        passes[place].number += number
      } else {
        passes.append(Passes(thread: thread, number: number))
      }
    }

    /// Takes so many of a thread's passes back, or all of them; says how many that were.
    mutating func takeBack(_ number: Int = .max, from thread: ThreadIdentity) -> Int {
      guard let place = passes.firstIndex(where: { $0.thread == thread }) else { return 0 }
      let taken = min(number, passes[place].number)
      passes[place].number -= taken
      if passes[place].number == 0 { passes.remove(at: place) }
      return taken
    }
  }

  private struct Passes {
    let thread: ThreadIdentity
    var number: Int
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
    let passes = giveBack()
    defer { if passes > 0 { take(passes) } }
    return body()
  }

  private static func take(_ number: Int) {
    let thread = ThreadIdentity.current
    state.wait { state -> Void? in
      // Who has one already would wait for the fork that waits for them.
      guard state.forks == 0 || state.passes(of: thread) > 0 else { return nil }
      return state.give(number, to: thread)
    }
  }

  /// Gives so many of the thread's passes back, or all of them; says how many that were.
  @discardableResult
  private static func giveBack(_ number: Int = .max) -> Int {
    let (taken, isAwaited) = state.withLock { state in
      (state.takeBack(number, from: .current), state.forks > 0)
    }
    if isAwaited { state.wake() }
    return taken
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
      state.give(1, to: .current)
    }
  }

  /// A thread that was announced could not be made.
  static func withdraw() {
    state.change { $0.beginning -= 1 }
  }

  /// The calling thread ends.
  static func end() {
    giveBack()
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
      let own = state.passes(of: .current)
      state = State()
      if own > 0 { state.give(own, to: .current) }
    }
  }
}
