import FootfallSystem

/// A tiny HTTP server on this machine's loopback address, for tests of real transports.
///
/// It answers as its script says, keeps connections alive and remembers every request. Each
/// connection has a thread; `stop()` ends them all.
package final class LoopbackServer: Sendable {
  /// What a request gets.
  package typealias Script = @Sendable (LoopbackRequest) -> LoopbackAnswer

  private struct State {
    var requests: [LoopbackRequest] = []
    var connections = 0
    var open: Set<Int32> = []
    var threads: [SystemThread] = []
    var isStopped = false
    var floodedBytes = 0
  }

  /// The port it listens on, chosen by the system.
  package let port: UInt16
  private let listener: LoopbackSocket
  private let script: Script
  private let readGate: Gate?
  private let state = Monitor(State())

  /// Starts listening.
  ///
  /// - Parameters:
  ///   - gate: Nothing is read from any connection before it opens.
  ///   - script: Decides what each request gets; called on the connection's thread.
  /// - Throws: `LoopbackError` if the system gives no socket, `SystemError` if no thread.
  package init(readingAfter gate: Gate? = nil, _ script: @escaping Script) throws {
    readGate = gate
    self.script = script
    listener = try LoopbackSocket.listening()
    port = try listener.localPort()
    let thread = try SystemThread(name: "loopback") { [self] in acceptAll() }
    state.withLock { $0.threads.append(thread) }
  }

  /// Starts listening; every request gets the same answer.
  package convenience init(_ answer: LoopbackAnswer = .status(202)) throws {
    try self.init { _ in answer }
  }

  /// The address of a path on this server.
  package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// All requests so far, in the order they were read.
  package var requests: [LoopbackRequest] { state.withLock { $0.requests } }

  /// How many connections have been made so far.
  package var connections: Int { state.withLock { $0.connections } }

  /// How many bytes a flood could send before the other side hung up.
  package var floodedBytes: Int { state.withLock { $0.floodedBytes } }

  /// Waits until so many requests have been read.
  ///
  /// - Returns: False if `timeoutSeconds` passed first.
  package func waitForRequests(_ count: Int, timeoutSeconds: Double = 60) async -> Bool {
    await wait(timeoutSeconds) { $0.requests.count >= count }
  }

  /// Waits until a connection has been made.
  ///
  /// - Returns: False if `timeoutSeconds` passed first.
  package func waitForConnection(timeoutSeconds: Double = 60) async -> Bool {
    await wait(timeoutSeconds) { $0.connections > 0 }
  }

  /// Waits until the other side has closed all connections.
  ///
  /// - Returns: False if `timeoutSeconds` passed first.
  package func waitForNoConnection(timeoutSeconds: Double = 60) async -> Bool {
    await wait(timeoutSeconds) { $0.open.isEmpty }
  }

  /// Waits on a thread of its own: blocking the concurrency pool could stop what is waited for.
  private func wait(
    _ timeoutSeconds: Double,
    until isMet: @escaping @Sendable (State) -> Bool
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      do {
        _ = try SystemThread(name: "loopback-wait") { [state] in
          let met = state.wait(timeoutSeconds: timeoutSeconds) { isMet($0) ? true : nil }
          continuation.resume(returning: met ?? false)
        }
      } catch {
        continuation.resume(returning: false)
      }
    }
  }

  /// Closes every connection and the port, and waits for the threads.
  ///
  /// Release every gate first.
  package func stop() {
    let threads = state.change { state in
      defer { state.threads = [] }
      state.isStopped = true
      // A shut-down socket ends the read that a thread is blocked in.
      state.open.forEach { LoopbackSocket(descriptor: $0).shutDown() }
      return state.threads
    }
    LoopbackSocket.knock(port: port)
    threads.forEach { $0.join() }
  }

  // MARK: Threads

  private func acceptAll() {
    while let socket = listener.accept() {
      let number: Int? = state.change { state in
        guard !state.isStopped else { return nil }
        state.connections += 1
        state.open.insert(socket.descriptor)
        return state.connections
      }
      guard let number else {
        socket.close()
        break
      }
      do {
        let thread = try SystemThread(name: "loopback") { [self] in serve(socket, number) }
        state.withLock { $0.threads.append(thread) }
      } catch {
        close(socket)
      }
    }
    // A child that another test forked has the descriptor too, and would keep the port listening.
    listener.shutDown()
    listener.close()
  }

  private func serve(_ socket: LoopbackSocket, _ connection: Int) {
    readGate?.wait()
    var reader = LoopbackReader(socket: socket, connection: connection)
    while let request = reader.next() {
      state.change { $0.requests.append(request) }
      guard perform(script(request), on: socket) else { break }
    }
    close(socket)
  }

  /// Sends an answer; false if the connection ends with it.
  private func perform(_ answer: LoopbackAnswer, on socket: LoopbackSocket) -> Bool {
    switch answer {
    case .reply(let status, let headers, let body):
      return socket.send(LoopbackAnswer.bytes(status: status, headers: headers, body: body))
    case .raw(let bytes):
      _ = socket.send(bytes)
      return false
    case .drip(let bytes, let everySeconds):
      _ = bytes.allSatisfy { byte in
        socket.send([byte])
          && state.wait(timeoutSeconds: everySeconds) { $0.isStopped ? true : nil } == nil
      }
      return false
    case .flood(let head, let chunk, let times):
      var left = socket.send(head) ? times : 0
      while left > 0, socket.send(chunk) {
        left -= 1
        state.withLock { $0.floodedBytes += chunk.count }
      }
      return false
    case .hangUp:
      return false
    case .reset:
      socket.resetOnClose()
      return false
    case .held(let gate, let answer):
      gate.wait()
      return perform(answer, on: socket)
    }
  }

  private func close(_ socket: LoopbackSocket) {
    state.change { state in
      state.open.remove(socket.descriptor)
      socket.close()
    }
  }
}
