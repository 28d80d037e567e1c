#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value that one thread at a time may touch.
///
/// It has the shape of `Synchronization.Mutex`, which needs newer systems than the SDK's floor and
/// collapses on Linux when eight threads take it at once (20 µs a call against 0.14 µs here).
/// It is not recursive. Hold it for a few instructions: no waiting, encoding or foreign code inside.
///
/// Safety: `state` is only touched between `lock()` and `unlock()`, or where nobody else can hold a
/// reference (`init`, `deinit`). What a body returns must not share a non-Sendable reference with
/// the state.
public final class Lock<State>: @unchecked Sendable {
  #if canImport(Darwin)
  private let primitive: UnsafeMutablePointer<os_unfair_lock>
  #else
  private let primitive: UnsafeMutablePointer<pthread_mutex_t>
  #endif
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Puts a first value behind the lock.
  public init(_ initial: sending State) {
    state = .allocate(capacity: 1)
    state.initialize(to: initial)
    primitive = .allocate(capacity: 1)
    #if canImport(Darwin)
    primitive.initialize(to: os_unfair_lock())
    #else
    primitive.initialize(to: pthread_mutex_t())
    pthread_mutex_init(primitive, nil)
    #endif
  }

  deinit {
    #if !canImport(Darwin)
    pthread_mutex_destroy(primitive)
    #endif
    primitive.deinitialize(count: 1)
    primitive.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Takes the lock before a fork, so that the child gets a whole state; see `ForkWatch`.
  package func holdForFork() { lock() }

  /// Gives the lock back after a fork, in the parent.
  package func releaseInParent() { unlock() }

  /// Makes the lock anew after a fork, in the child, where whoever waited for it is not.
  package func renewInChild() {
    #if canImport(Darwin)
    primitive.initialize(to: os_unfair_lock())
    #else
    primitive.initialize(to: pthread_mutex_t())
    pthread_mutex_init(primitive, nil)
    #endif
  }

  /// Runs `body` while no other thread is inside, and gives back what it returns.
  ///
  /// Calling it again from inside `body` deadlocks on Linux and traps on Apple systems.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&state.pointee)
  }

  @usableFromInline
  func lock() {
    #if canImport(Darwin)
    os_unfair_lock_lock(primitive)
    #else
    pthread_mutex_lock(primitive)
    #endif
  }

  @usableFromInline
  func unlock() {
    #if canImport(Darwin)
    os_unfair_lock_unlock(primitive)
    #else
    pthread_mutex_unlock(primitive)
    #endif
  }
}
