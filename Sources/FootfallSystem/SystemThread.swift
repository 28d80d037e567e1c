#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One thread of the operating system, running from its creation until its body returns.
///
/// For work that blocks (disk, sockets), which must not occupy a thread of the concurrency pool.
///
/// Safety: the handle is written once in `init` and only read afterwards.
public final class SystemThread: @unchecked Sendable {
  #if canImport(Darwin)
  private var handle: pthread_t?
  #else
  private var handle = pthread_t()
  #endif
  private let isJoined = Lock(false)

  /// Starts a thread that runs `body`.
  ///
  /// `name` shows up in debuggers; the system keeps about 15 bytes of it. Throws where the system
  /// has no thread left to give.
  public convenience init(
    name: String,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    try self.init(name: name, ThreadStart(name: name, body: body))
  }

  /// Starts a thread that forks wait for as long as it does not rest; see `ForkGate`.
  package convenience init(
    atWork name: String,
    _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let wasAnnounced = ForkGate.announce()
    let start = ThreadStart(name: name, wasAnnounced: wasAnnounced, body: body)
    do throws(SystemError) { try self.init(name: name, start) } catch {
      if wasAnnounced { ForkGate.withdraw() }
      throw error
    }
  }

  private init(name: String, _ start: ThreadStart) throws(SystemError) {
    let start = Unmanaged.passRetained(start)
    #if canImport(Darwin)
    let code = pthread_create(
      &handle,
      nil,
      { runThread($0) },
      start.toOpaque()
    )
    #else
    let code = pthread_create(
      &handle,
      nil,
      { $0.flatMap { runThread($0) } },
      start.toOpaque()
    )
    #endif
    guard code == 0 else {
      start.release()
      throw SystemError(code: code, operation: .startThread, path: name)
    }
  }

  deinit {
    // A thread nobody waits for gives its memory back by itself.
    guard !isJoined.withLock({ $0 }) else { return }
    #if canImport(Darwin)
    if let handle { pthread_detach(handle) }
    #else
    pthread_detach(handle)
    #endif
  }

  /// Waits until the body has returned.
  ///
  /// A second call returns at once. Never call it from the thread's own body.
  public func join() {
    let isFirst = isJoined.withLock { joined in
      defer { joined = true }
      return !joined
    }
    guard isFirst else { return }
    #if canImport(Darwin)
    if let handle { pthread_join(handle, nil) }
    #else
    pthread_join(handle, nil)
    #endif
  }
}

private final class ThreadStart: Sendable {
  let name: String
  /// Whether forks wait for the thread already; nil if they never do.
  let wasAnnounced: Bool?
  let body: @Sendable () -> Void

  init(name: String, wasAnnounced: Bool? = nil, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.wasAnnounced = wasAnnounced
    self.body = body
  }
}

private func runThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  let start = Unmanaged<ThreadStart>.fromOpaque(context).takeRetainedValue()
  if let wasAnnounced = start.wasAnnounced { ForkGate.begin(wasAnnounced: wasAnnounced) }
  nameThread(start.name)
  start.body()
  if start.wasAnnounced != nil { ForkGate.end() }
  return nil
}

/// Names the calling thread; a thread without a name works as well, so failures do not matter.
private func nameThread(_ name: String) {
  #if canImport(Darwin)
  pthread_setname_np(name)
  #else
  // Swift sees neither the GNU call nor the variadic prctl; the kernel offers the same as a file.
  let descriptor = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return }
  let bytes = Array(name.utf8.prefix(15))
  _ = write(descriptor, bytes, bytes.count)
  close(descriptor)
  #endif
}
