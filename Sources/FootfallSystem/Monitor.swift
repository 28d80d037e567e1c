#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value that one thread at a time may touch, and whose changes threads can wait for.
///
/// Use `Lock` where nobody waits: it is smaller and, on Apple systems, faster.
///
/// Safety: `state` is only touched while `mutex` is held, or where nobody else can hold a reference
/// (`init`, `deinit`).
public final class Monitor<State>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Puts a first value behind the monitor.
  public init(_ initial: sending State) {
    state = .allocate(capacity: 1)
    state.initialize(to: initial)
    mutex = .allocate(capacity: 1)
    changed = .allocate(capacity: 1)
    makePrimitives()
  }

  private func makePrimitives() {
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed.initialize(to: pthread_cond_t())
    #if canImport(Darwin)
    pthread_cond_init(changed, nil)
    #else
    // A wait must not be cut short or stretched by someone setting the clock.
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
    #endif
  }

  /// Takes the lock before a fork, so that the child gets a whole state; see `ForkWatch`.
  package func holdForFork() { pthread_mutex_lock(mutex) }

  /// Gives the lock back after a fork, in the parent.
  package func releaseInParent() { pthread_mutex_unlock(mutex) }

  /// Makes the lock anew after a fork, in the child.
  ///
  /// A condition that threads of the parent waited for would wait for them when it wakes or goes.
  package func renewInChild() { makePrimitives() }

  deinit {
    pthread_cond_destroy(changed)
    changed.deinitialize(count: 1)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
    state.deinitialize(count: 1)
    state.deallocate()
  }

  /// Runs `body` while no other thread is inside; wakes nobody.
  @inlinable
  public func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&state.pointee)
  }

  /// Runs `body` while no other thread is inside, then wakes all waiting threads to look again.
  @inlinable
  public func change<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer {
      wake()
      unlock()
    }
    return try body(&state.pointee)
  }

  @usableFromInline
  func lock() { pthread_mutex_lock(mutex) }

  @usableFromInline
  func unlock() { pthread_mutex_unlock(mutex) }

  /// Wakes all waiting threads to look again, after a change by `withLock` that concerns them.
  public func wake() {
    pthread_cond_broadcast(changed)
  }

  /// Blocks the calling thread until `body` gives a value, and returns that value.
  ///
  /// `body` runs with the lock held, at once and after every `change`.
  @inlinable
  public func wait<Result>(until body: (inout State) -> Result?) -> Result {
    lock()
    defer { unlock() }
    while true {
      if let result = body(&state.pointee) { return result }
      waitForChange()
    }
  }

  /// As `wait(until:)`, but gives up after `timeoutSeconds` and returns nil.
  ///
  /// The time is measured by a clock that nobody sets; it may stand still while the machine sleeps.
  @inlinable
  public func wait<Result>(
    timeoutSeconds: Double,
    until body: (inout State) -> Result?
  ) -> Result? {
    let deadline = Self.deadline(timeoutSeconds)
    lock()
    defer { unlock() }
    while true {
      if let result = body(&state.pointee) { return result }
      guard waitForChange(until: deadline) else { return nil }
    }
  }

  @usableFromInline
  static func deadline(_ timeoutSeconds: Double) -> MonotonicTime {
    MonotonicTime.awake().advanced(bySeconds: min(max(0, timeoutSeconds), 1_000_000_000))
  }

  @usableFromInline
  func waitForChange() { pthread_cond_wait(changed, mutex) }

  /// False if it is too late to wait.
  @usableFromInline
  func waitForChange(until deadline: MonotonicTime) -> Bool {
    let now = MonotonicTime.awake()
    guard now < deadline else { return false }
    #if canImport(Darwin)
    var left = timespec(nanoseconds: deadline.nanoseconds - now.nanoseconds)
    pthread_cond_timedwait_relative_np(changed, mutex, &left)
    #else
    var end = timespec(nanoseconds: deadline.nanoseconds)
    pthread_cond_timedwait(changed, mutex, &end)
    #endif
    return true
  }
}

extension timespec {
  fileprivate init(nanoseconds: UInt64) {
    self.init()
    tv_sec = numericCast(nanoseconds / 1_000_000_000)
    tv_nsec = numericCast(nanoseconds % 1_000_000_000)
  }
}
