internal import CMicroHTTPD

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The library's callbacks: each finds the core and the request behind its pointers and calls on.
enum Callbacks {
  /// What the daemon is started with; keeps the core alive until `free`.
  static func options(core: ServerCore, socket: Int32) -> UnsafeMutablePointer<footfall_mhd_options>
  {
    let options = UnsafeMutablePointer<footfall_mhd_options>.allocate(capacity: 1)
    options.initialize(to: footfall_mhd_options())
    options.pointee.listen_socket = socket
    options.pointee.threads = UInt32(max(2, core.limits.threads))
    options.pointee.connections = UInt32(core.limits.connections)
    options.pointee.idle_seconds = UInt32(core.limits.idleSeconds)
    options.pointee.connection_memory = core.limits.headerBytes
    options.pointee.context = Unmanaged.passRetained(core).toOpaque()
    options.pointee.request_line = requestLine
    options.pointee.request = request
    options.pointee.completed = completed
    options.pointee.connection = connection
    options.pointee.accept = accept
    options.pointee.log = log
    return options
  }

  /// Gives back what `options` made.
  static func free(_ options: UnsafeMutablePointer<footfall_mhd_options>) {
    if let context = options.pointee.context {
      Unmanaged<ServerCore>.fromOpaque(context).release()
    }
    options.deallocate()
  }

  private static let requestLine:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
      UnsafeMutableRawPointer? = { context, target, _ in
        guard let core = Callbacks.core(context), let target else { return nil }
        // The pool keeps every request as long as the core lives.
        let request = core.beginLine(UnsafeRawBufferPointer(start: target, count: strlen(target)))
        return Unmanaged.passUnretained(request).toOpaque()
      }

  private static let request: MHD_AccessHandlerCallback = {
    context,
    connection,
    _,
    method,
    _,
    upload,
    uploadSize,
    state in
    guard let core = Callbacks.core(context), let connection, let uploadSize,
      let request = Callbacks.request(state?.pointee)
    else { return .NO }
    if !request.hasBegun {
      return core.begin(
        request,
        method: UnsafeRawBufferPointer(start: method, count: method.map(strlen) ?? 0),
        on: connection
      )
    }
    if uploadSize.pointee > 0 {
      defer { uploadSize.pointee = 0 }
      return core.receive(
        UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee),
        of: request
      )
    }
    return core.answer(request, on: connection)
  }

  private static let completed: MHD_RequestCompletedCallback = { context, connection, state, _ in
    guard let core = Callbacks.core(context), let connection,
      let request = Callbacks.request(state?.pointee)
    else { return }
    state?.pointee = nil
    core.completed(request, on: connection)
  }

  private static let connection: MHD_NotifyConnectionCallback = {
    context,
    connection,
    socketContext,
    event in
    guard let core = Callbacks.core(context), let connection, let socketContext else { return }
    if event == .CONNECTION_NOTIFY_STARTED {
      socketContext.pointee = Unmanaged.passRetained(core.opened(connection)).toOpaque()
    } else if let pointer = socketContext.pointee {
      core.closed(Unmanaged<LiveConnection>.fromOpaque(pointer).takeRetainedValue())
      socketContext.pointee = nil
    }
  }

  private static let accept: MHD_AcceptPolicyCallback = { context, address, _ in
    guard let core = Callbacks.core(context) else { return .NO }
    return core.admits(PeerAddress(address)) ? .YES : .NO
  }

  private static let log: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> Void =
    {
      context,
      line in
      guard let core = Callbacks.core(context), let line else { return }
      core.problemLog(String(cString: line))
    }

  private static func core(_ context: UnsafeMutableRawPointer?) -> ServerCore? {
    context.map { Unmanaged<ServerCore>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func request(_ state: UnsafeMutableRawPointer?) -> Request? {
    state.map { Unmanaged<Request>.fromOpaque($0).takeUnretainedValue() }
  }
}
