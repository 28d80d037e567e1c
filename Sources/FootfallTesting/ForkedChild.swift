#if os(Linux) || os(macOS)
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
}
#endif
