#if os(Linux) || os(macOS)
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A real fork, for tests of what survives one; run it inside an exit test.
package enum ForkedChild {
  /// Forks, runs `body` in the child, and waits for it.
  ///
  /// The fork comes while the threads that are not the test's own rest: the test library's may be making
  /// a type as they start an exit test, and the child would wait for the runtime's lock for ever.
  ///
  /// - Parameters:
  ///   - limitSeconds: A child that is stuck ends by SIGALRM after this time.
  ///   - body: Runs in the child, on its only thread; its result is the exit code.
  /// - Returns: The child's exit code, or 128 and the number of the signal that ended it; nil if the
  ///   system gave no child.
  package static func run(limitSeconds: UInt32 = 20, _ body: () -> Int32) -> Int32? {
    // Swift does not offer `fork`, with reason; here it is the thing to be tested.
    #if canImport(Darwin)
    let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #else
    let everywhere: UnsafeMutableRawPointer? = nil
    #endif
    guard let address = dlsym(everywhere, "fork") else { return nil }
    // Safety: `pid_t fork(void)`.
    let fork = unsafeBitCast(address, to: (@convention(c) () -> pid_t).self)
    waitForRest()
    let child = fork()
    guard child != 0 else {
      // A thread of a pool lets no signal in, and it is the only one here.
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      alarm(limitSeconds)
      _exit(body())
    }
    guard child > 0 else { return nil }
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 { guard errno == EINTR else { return nil } }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Yields until the main thread and those of the system's queues have nothing to do, for so many
  /// looks at most; where the system does not say, not at all.
  private static func waitForRest(looks: Int = 20_000) {
    #if os(Linux)
    var restful = 0
    for _ in 0..<looks where restful < 3 {
      restful = isAtRest() ? restful + 1 : 0
      sched_yield()
    }
    #endif
  }

  #if os(Linux)
  private static func isAtRest() -> Bool {
    let files = FileManager.default
    let own = (try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
    let threads = (try? files.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return threads.allSatisfy { thread in
      guard !own.hasSuffix("/\(thread)") else { return true }
      let path = "/proc/self/task/\(thread)/status"
      guard let status = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
      let lines = status.split(separator: "\n")
      let isWatched = thread == "\(getpid())" || lines.first?.hasSuffix("qos") == true
      return !isWatched || lines.contains { $0.hasPrefix("State:\tS") }
    }
  }
  #endif
}
#endif
