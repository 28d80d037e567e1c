#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Notices that the process was forked.
///
/// A forked child has the memory of its parent and one thread: whatever another thread held or was
/// about to do stays as it was. Whoever keeps threads compares `generation` with the one they began
/// in, and makes new ones; whoever keeps locks registers to hold them over the fork. What makes a
/// new program at once (`posix_spawn`, Foundation's `Process`) is not a fork; neither is a bare
/// `clone`, which nobody can notice.
package enum ForkWatch {
  /// What is done around a fork.
  ///
  /// The three run on the thread that forks: `prepare` before, in reverse order of registration, then
  /// `parent` or `child` in order. They may take and renew locks, copy and count; they must not wait
  /// for another thread, and `child` starts none.
  package struct Handlers: Sendable {
    var prepare: @Sendable () -> Void
    var parent: @Sendable () -> Void
    var child: @Sendable () -> Void

    /// Handlers from closures; each does nothing unless given.
    package init(
      prepare: @escaping @Sendable () -> Void = {},
      parent: @escaping @Sendable () -> Void = {},
      child: @escaping @Sendable () -> Void = {}
    ) {
      self.prepare = prepare
      self.parent = parent
      self.child = child
    }
  }

  /// Which handlers are meant when they are taken back.
  package struct Registration: Sendable {
    fileprivate let number: Int

    /// Takes the handlers back; a second call does nothing.
    package func cancel() { ForkWatch.registry.withLock { $0.handlers[number] = nil } }
  }

  private struct Registry {
    var handlers: [Int: Handlers] = [:]
    var last = 0

    var inOrder: [Handlers] { handlers.sorted { $0.key < $1.key }.map(\.value) }
  }

  /// How many forks lie between the first process that asked and this one.
  ///
  /// Grows in the child before `fork` returns there. Any thread; costs two loads.
  package static var generation: UInt32 { counter.pointee.value }

  /// Has something done around every fork from here on, until the registration is cancelled.
  ///
  /// Register and cancel without holding a lock that a `prepare` takes: the other order deadlocks.
  package static func register(_ handlers: Handlers) -> Registration {
    // The counter is what installs the system's hook.
    _ = counter
    return registry.withLock { registry in
      registry.last += 1
      registry.handlers[registry.last] = handlers
      return Registration(number: registry.last)
    }
  }

  private static let registry = Lock(Registry())

  /// Safety: written only in a child before `fork` returns there, when it has one thread.
  private struct Counter: @unchecked Sendable {
    var value: UInt32 = 0
  }

  /// Safety: points to memory that is never freed; see `Counter` for the writes.
  nonisolated(unsafe) private static let counter: UnsafeMutablePointer<Counter> = {
    let counter = UnsafeMutablePointer<Counter>.allocate(capacity: 1)
    counter.initialize(to: Counter())
    // Made before any fork, so that no child finds it half made.
    _ = registry
    pthread_atfork({ ForkWatch.prepare() }, { ForkWatch.parent() }, { ForkWatch.child() })
    return counter
  }()

  /// Holds the registry until after the fork, so that all three steps see the same handlers.
  private static func prepare() {
    // While nothing is held that a thread at work may want.
    ForkGate.close()
    registry.holdForFork()
    for handlers in registry.state.pointee.inOrder.reversed() { handlers.prepare() }
    ForkGate.holdForFork()
  }

  private static func parent() {
    ForkGate.releaseInParent()
    let all = registry.state.pointee.inOrder
    registry.releaseInParent()
    for handlers in all { handlers.parent() }
    ForkGate.open()
  }

  private static func child() {
    counter.pointee.value &+= 1
    ForkGate.renewInChild()
    let all = registry.state.pointee.inOrder
    registry.renewInChild()
    for handlers in all { handlers.child() }
  }
}
