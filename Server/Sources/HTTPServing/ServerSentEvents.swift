internal import FootfallSystem

/// A stream of server-sent events to one client.
///
/// A handler returns one as `.stream`. Events may be sent from any thread, from `onStart` on; what
/// the connection has not taken yet is kept up to `maxPendingBytes`, and a client that lags further
/// is cut off (a browser connects again by itself). A comment is sent as a heartbeat so that a
/// client that went away is noticed.
public final class ServerSentEvents: Sendable {
  fileprivate struct State {
    var pending: [UInt8] = []
    var hasStarted = false
    var isClosed = false
    var isOver = false
    var writtenAt: UInt64
    /// Set while the connection is suspended for want of events.
    var wake: (@Sendable () -> Void)?
  }

  /// What the connection may send next.
  enum Take {
    case bytes(Int)
    case wait
    case end
  }

  private let state: Lock<State>
  private let heartbeatNanoseconds: UInt64
  private let maxPendingBytes: Int
  private let isAllowed: @Sendable () -> Bool
  private let onStart: @Sendable (ServerSentEvents) -> Void
  private let onClose: @Sendable () -> Void

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - heartbeatSeconds: silence after which a comment is sent; 15 by default.
  ///   - maxPendingBytes: how far a client may lag; 1 MiB by default.
  ///   - isAllowed: asked once a second whether the client may still see it; no ends the stream at once, with
  ///     what is pending. On the server's own thread; must be short.
  ///   - onStart: called once when the connection has been accepted; subscribe here.
  ///   - onClose: called once after that when the stream is over, whoever ended it; unsubscribe
  ///     here. Any thread; must not block.
  public init(
    heartbeatSeconds: Int = 15,
    maxPendingBytes: Int = 1 << 20,
    isAllowed: @escaping @Sendable () -> Bool = { true },
    onStart: @escaping @Sendable (ServerSentEvents) -> Void,
    onClose: @escaping @Sendable () -> Void = {}
  ) {
    heartbeatNanoseconds = UInt64(max(1, heartbeatSeconds)) * 1_000_000_000
    self.maxPendingBytes = maxPendingBytes
    self.isAllowed = isAllowed
    self.onStart = onStart
    self.onClose = onClose
    state = Lock(State(writtenAt: MonotonicTime.now().nanoseconds))
  }

  /// Sends one event.
  ///
  /// Any thread; returns at once.
  ///
  /// - Parameters:
  ///   - data: the text; each line becomes a `data:` field.
  ///   - event: its name; nil is the browser's `message`.
  ///   - id: what the browser repeats as `Last-Event-ID` when it connects again.
  /// - Returns: false when the stream is over, also because of this event's size.
  @discardableResult
  public func send(_ data: String, event: String? = nil, id: String? = nil) -> Bool {
    var text = ""
    if let id { text += "id: \(Self.oneLine(id))\n" }
    if let event { text += "event: \(Self.oneLine(event))\n" }
    for line in data.split(omittingEmptySubsequences: false, whereSeparator: Self.endsLine) {
      text += "data: \(line)\n"
    }
    return push(Array((text + "\n").utf8))
  }

  /// Ends the stream after what is pending.
  ///
  /// Any thread; a second call does nothing.
  public func close() {
    let wake = state.withLock { state in
      state.isClosed = true
      return state.takeWake()
    }
    wake?()
  }

  /// Whether it has ended.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  private func push(_ bytes: [UInt8]) -> Bool {
    let (isOpen, wake) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      guard !state.isClosed else { return (false, nil) }
      if state.pending.count + bytes.count > maxPendingBytes {
        state.isClosed = true
        state.pending = []
        return (false, state.takeWake())
      }
      state.pending += bytes
      return (true, state.takeWake())
    }
    wake?()
    return isOpen
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { endsLine($0) ? " " : $0 })
  }

  /// Whether a browser ends a line here; Unicode's other line breaks are text to it.
  ///
  /// Source: HTML standard, "Parsing an event stream".
  private static func endsLine(_ character: Character) -> Bool {
    character == "\n" || character == "\r" || character == "\r\n"
  }
}

/// The connection's side.
extension ServerSentEvents {
  /// Calls `onStart`; once, before anything is taken.
  func start() {
    let isFirst = state.withLock { state in
      defer { state.hasStarted = true }
      return !state.hasStarted
    }
    if isFirst { onStart(self) }
  }

  /// Ends it for good and calls `onClose` once, if it had started.
  func finish() {
    let wasOpen = state.withLock { state in
      defer { state.isOver = true }
      state.isClosed = true
      state.wake = nil
      state.pending = []
      return state.hasStarted && !state.isOver
    }
    if wasOpen { onClose() }
  }

  /// Moves pending bytes to `buffer`.
  ///
  /// With nothing pending, `suspend` runs inside the lock, so that an event sent meanwhile finds
  /// `wake` to call.
  func take(
    into buffer: UnsafeMutableRawBufferPointer,
    wake: @escaping @Sendable () -> Void,
    suspend: () -> Void
  ) -> Take {
    let now = MonotonicTime.now().nanoseconds
    return state.withLock { state in
      if state.pending.isEmpty {
        if state.isClosed { return .end }
        state.wake = wake
        suspend()
        return .wait
      }
      let count = min(buffer.count, state.pending.count)
      state.pending.withUnsafeBytes { pending in
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: pending[..<count]))
      }
      state.pending.removeFirst(count)
      state.writtenAt = now
      return .bytes(count)
    }
  }

  /// Ends a stream that is allowed no longer, sends the heartbeat when it is due, and ends a suspended stream whose client is gone.
  ///
  /// - Parameters:
  ///   - now: monotonic nanoseconds.
  ///   - isGone: asks the socket; only called while the connection is suspended, when its socket
  ///     cannot be closed.
  func tend(at now: UInt64, isGone: () -> Bool) {
    guard isClosed || isAllowed() else { return cut() }
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isClosed, state.wake != nil else { return nil }
      if isGone() {
        state.isClosed = true
        return state.takeWake()
      }
      guard now >= state.writtenAt + heartbeatNanoseconds else { return nil }
      state.pending += ":\n\n".utf8
      return state.takeWake()
    }
    wake?()
  }

  private func cut() {
    let wake = state.withLock { state in
      state.isClosed = true
      state.pending = []
      return state.takeWake()
    }
    wake?()
  }

  /// Whether the connection is suspended for want of events.
  var isWaiting: Bool { state.withLock { $0.wake != nil } }

  /// Everything pending, for the test client.
  func takeAll() -> [UInt8] {
    state.withLock { state in
      defer { state.pending = [] }
      return state.pending
    }
  }
}

extension ServerSentEvents.State {
  mutating func takeWake() -> (@Sendable () -> Void)? {
    defer { wake = nil }
    return wake
  }
}
