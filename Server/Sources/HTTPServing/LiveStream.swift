internal import CMicroHTTPD

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The connection's side of one open stream.
///
/// The library asks for bytes; when there are none the connection is suspended, and the next event
/// resumes it. It lives as long as the library's response object.
final class LiveStream: @unchecked Sendable {
  // Safety: `connection` is only suspended from the library's own call for bytes and only resumed
  // while suspended, in which time the library keeps it.
  let events: ServerSentEvents
  private let core: ServerCore
  private let connection: OpaquePointer
  private let socket: Int32

  init(events: ServerSentEvents, core: ServerCore, connection: OpaquePointer, socket: Int32) {
    self.events = events
    self.core = core
    self.connection = connection
    self.socket = socket
  }

  /// The response object; the library's reference keeps this stream.
  ///
  /// Nil when memory is short.
  func makeResponse() -> OpaquePointer? {
    let response = MHD_create_response_from_callback(
      footfall_mhd_size_unknown,
      16 * 1_024,
      { context, _, buffer, count in
        guard let context, let buffer else { return footfall_mhd_end_with_error }
        return Unmanaged<LiveStream>.fromOpaque(context).takeUnretainedValue()
          .read(into: UnsafeMutableRawBufferPointer(start: buffer, count: count))
      },
      Unmanaged.passRetained(self).toOpaque(),
      { context in
        guard let context else { return }
        let stream = Unmanaged<LiveStream>.fromOpaque(context).takeRetainedValue()
        stream.core.forget(stream)
        stream.events.finish()
      }
    )
    guard let response else {
      Unmanaged.passUnretained(self).release()
      return nil
    }
    MHDResponse.add(
      [
        Header("Content-Type", "text/event-stream; charset=utf-8"),
        Header("Cache-Control", "no-store"),
        // Asks a proxy in front to pass events on at once.
        Header("X-Accel-Buffering", "no"),
      ],
      to: response
    )
    return response
  }

  /// Heartbeat and a look at the socket.
  func tend(at now: UInt64) {
    events.tend(at: now) {
      var poll = pollfd(fd: socket, events: Self.hangUp, revents: 0)
      return Self.poll(&poll) > 0 && poll.revents != 0
    }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let taken = events.take(
      into: buffer,
      wake: { [unowned self] in core.resume(connection) },
      suspend: { core.suspend(connection) }
    )
    switch taken {
    case .bytes(let count): return count
    case .wait: return 0
    case .end: return footfall_mhd_end_of_stream
    }
  }

  private static func poll(_ descriptor: inout pollfd) -> Int32 {
    #if canImport(Glibc)
    Glibc.poll(&descriptor, 1, 0)
    #else
    Darwin.poll(&descriptor, 1, 0)
    #endif
  }

  private static var hangUp: Int16 {
    #if os(Linux)
    0x2000  // POLLRDHUP, which Swift does not see
    #else
    Int16(POLLHUP)
    #endif
  }
}
