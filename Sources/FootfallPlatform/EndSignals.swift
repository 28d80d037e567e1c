#if os(Linux) || os(macOS)
import FootfallSystem
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Handlers for SIGTERM and SIGINT, in place for as long as a client wants them.
///
/// The handler only writes the signal's number to a pipe. A thread that sleeps at its other end gives
/// the signal back to whom it belonged, so that a second one ends the process at once, runs the
/// closures, and sends the signal again.
final class EndSignals: Sendable {
  /// The only one: signals belong to the process.
  static let shared = EndSignals()

  static let signals = [SIGTERM, SIGINT]

  private struct State {
    var users = 0
    var pipe: Pipe?
    var previous: [Int32: sigaction] = [:]
  }
  private struct Pipe {
    let reader: Int32
    let writer: Int32
  }
  private let state = Lock(State())

  /// Where the handler writes, and whose pipe it is.
  ///
  /// Safety: written under the state's lock before a handler is set, and in a forked child before
  /// `fork` returns there; read by the handler, which must not take a lock.
  private struct Target {
    var writer: Int32 = -1
    var process: pid_t = 0
  }
  nonisolated(unsafe) private static let target: UnsafeMutablePointer<Target> = {
    let target = UnsafeMutablePointer<Target>.allocate(capacity: 1)
    target.initialize(to: Target())
    return target
  }()

  private init() {
    _ = Self.target
    let state = state
    _ = ForkWatch.register(
      ForkWatch.Handlers(
        prepare: { state.holdForFork() },
        parent: { state.releaseInParent() },
        child: {
          // The pipe and its thread are the parent's; a signal to the child is the child's matter.
          state.renewInChild()
          state.withLock { state in
            Self.restore(&state)
            if let pipe = state.pipe {
              close(pipe.reader)
              close(pipe.writer)
            }
            state = State()
          }
        }
      )
    )
  }

  /// Sets the handlers if this is the first user.
  func use(_ log: Logger) {
    let problem: String? = state.withLock { state in
      state.users += 1
      guard state.users == 1 else { return nil }
      return prepare(&state) ?? install(&state)
    }
    if let problem { log.warning("The end by a signal is not noticed: \(problem)") }
  }

  /// Gives the signals back if this was the last user.
  func stopUsing() {
    state.withLock { state in
      state.users -= 1
      if state.users == 0 { Self.restore(&state) }
    }
  }

  /// Makes the pipe and its thread, once; a sentence about what failed.
  private func prepare(_ state: inout State) -> String? {
    guard state.pipe == nil else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return "no pipe (error \(errno))." }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let made = Pipe(reader: ends[0], writer: ends[1])
    do throws(SystemError) {
      _ = try SystemThread(name: "footfall-signal") { [self] in listen(made.reader) }
    } catch {
      ends.forEach { _ = close($0) }
      return error.description
    }
    state.pipe = made
    Self.target.pointee = Target(writer: made.writer, process: getpid())
    return nil
  }

  /// Sets the handlers; a sentence about the signals that are ignored, and stay so.
  private func install(_ state: inout State) -> String? {
    var ignored: [Int32] = []
    for signal in Self.signals {
      var present = sigaction()
      guard sigaction(signal, nil, &present) == 0 else { continue }
      guard !present.isIgnoring else {
        ignored.append(signal)
        continue
      }
      var ours = sigaction(handler: handleSignal)
      sigemptyset(&ours.sa_mask)
      ours.sa_flags = Int32(SA_RESTART)
      state.previous[signal] = present
      sigaction(signal, &ours, nil)
    }
    return ignored.isEmpty ? nil : "the process ignores signal \(ignored)."
  }

  /// Gives back the signals that are still ours; a handler that was set later stays.
  ///
  /// Returns those that were given back.
  @discardableResult
  private static func restore(_ state: inout State) -> Set<Int32> {
    var restored: Set<Int32> = []
    for (signal, previous) in state.previous {
      var (present, previous) = (sigaction(), previous)
      guard sigaction(signal, nil, &present) == 0, present.isHandler(handleSignal) else { continue }
      if sigaction(signal, &previous, nil) == 0 { restored.insert(signal) }
    }
    state.previous = [:]
    return restored
  }

  /// The thread: waits for a number, and ends the process by that signal.
  private func listen(_ reader: Int32) {
    var signal: UInt8 = 0
    while true {
      let count = read(reader, &signal, 1)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return }
      let number = Int32(signal)
      let restored = state.withLock { Self.restore(&$0) }
      EndRegistry.run(.signals)
      // Another's handler that passed the signal on has had it already.
      if restored.contains(number) { kill(getpid(), number) }
    }
  }

  fileprivate static func note(_ signal: Int32) {
    let target = target.pointee
    guard target.process == getpid() else {
      // A child between its fork and our hook: nothing of it waits yet.
      _exit(128 + signal)
    }
    let error = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(target.writer, &byte, 1)
    errno = error
  }
}

/// Runs in the middle of whatever a thread was doing: only calls that POSIX allows there.
private let handleSignal: @convention(c) (Int32) -> Void = { EndSignals.note($0) }

extension sigaction {
  fileprivate init(handler: @escaping @convention(c) (Int32) -> Void) {
    self.init()
    #if canImport(Darwin)
    __sigaction_u.__sa_handler = handler
    #elseif canImport(Musl)
    __sa_handler.sa_handler = handler
    #else
    __sigaction_handler.sa_handler = handler
    #endif
  }

  private var handlerBits: Int {
    #if canImport(Darwin)
    unsafeBitCast(__sigaction_u, to: Int.self)
    #elseif canImport(Musl)
    unsafeBitCast(__sa_handler, to: Int.self)
    #else
    unsafeBitCast(__sigaction_handler, to: Int.self)
    #endif
  }

  /// Whether the signal is ignored (`SIG_IGN`, which is 1 on every system there is).
  fileprivate var isIgnoring: Bool { handlerBits == 1 }

  fileprivate func isHandler(_ handler: @escaping @convention(c) (Int32) -> Void) -> Bool {
    handlerBits == unsafeBitCast(handler, to: Int.self)
  }
}
#endif
