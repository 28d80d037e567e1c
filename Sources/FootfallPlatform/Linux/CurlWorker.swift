#if os(Linux)
import FootfallSystem
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The thread that drives every transfer of one transport through one multi handle of libcurl.
///
/// It sleeps in `curl_multi_poll` until a socket, a timeout or `curl_multi_wakeup` needs it, so that
/// waiting costs nothing. Everybody else only leaves mail for it. It starts with the first transfer.
///
/// Safety: `running` is touched by the worker's thread alone; the rest is immutable or locked.
final class CurlWorker: @unchecked Sendable {
  /// How long a caller waits for the thread to stop what is running, in seconds.
  static let stopWaitSeconds = 1.0
  /// How long one poll may last, in milliseconds: long, since anything of interest ends it sooner.
  private static let pollMilliseconds: Int32 = 3_600_000

  private struct Mailbox {
    var multi: CurlLibrary.Handle?
    var isStopping = false
    var submitted: [CurlTransfer] = []
    var cancelled: [CurlTransfer] = []
    var cancelAll: [Monitor<Bool>] = []

    var isEmpty: Bool {
      submitted.isEmpty && cancelled.isEmpty && cancelAll.isEmpty && !isStopping
    }
  }

  private let library: CurlLibrary
  private let mailbox = Lock(Mailbox())
  private var running: [CurlLibrary.Handle: CurlTransfer] = [:]

  init(_ library: CurlLibrary) { self.library = library }

  // MARK: Any thread

  /// Takes a transfer on, starting the thread if it is the first one.
  func submit(_ transfer: CurlTransfer) {
    let refusal: TransportFailure? = mailbox.withLock { box in
      guard !transfer.mail.isCancelled, !box.isStopping else { return .cancelled }
      if box.multi == nil {
        guard let multi = library.multiInit() else { return .other("libcurl gave no multi handle") }
        box.multi = multi
        if let error = startThread() {
          _ = library.multiCleanup(multi)
          box.multi = nil
          return .other("\(error)")
        }
      }
      transfer.mail.isSubmitted = true
      box.submitted.append(transfer)
      wake(box)
      return nil
    }
    if let refusal { transfer.finish(.failed(refusal)) }
  }

  /// Stops one transfer; does nothing if it has ended.
  func cancel(_ transfer: CurlTransfer) {
    mailbox.withLock { box in
      transfer.mail.isCancelled = true
      guard transfer.mail.isSubmitted, box.multi != nil else { return }
      box.cancelled.append(transfer)
      wake(box)
    }
  }

  /// Stops everything that was submitted before, and waits for that.
  func cancelAll() {
    let stopped = Monitor(false)
    let isRunning = mailbox.withLock { box in
      guard box.multi != nil else { return false }
      box.cancelAll.append(stopped)
      wake(box)
      return true
    }
    guard isRunning else { return }
    _ = ForkGate.rest { stopped.wait(timeoutSeconds: Self.stopWaitSeconds) { $0 ? true : nil } }
  }

  /// Ends the thread after it has stopped everything; does not wait.
  func stop() {
    mailbox.withLock { box in
      box.isStopping = true
      wake(box)
    }
  }

  private func wake(_ box: Mailbox) {
    if let multi = box.multi { _ = library.multiWakeup(multi) }
  }

  // MARK: The worker's thread

  /// Starts the thread, or says why that failed.
  private func startThread() -> SystemError? {
    do throws(SystemError) {
      _ = try SystemThread(atWork: "footfall-upload") { [self] in
        blockSignals()
        run()
      }
      return nil
    } catch {
      return error
    }
  }

  private func run() {
    guard let multi = mailbox.withLock({ $0.multi }) else { return }
    while readMail(multi) {
      var active: Int32 = 0
      guard library.multiPerform(multi, &active) == Curl.ok else { break }
      settleFinished(multi)
      // Mail that came meanwhile has woken the poll in advance, so none is overslept.
      var events: Int32 = 0
      let code = ForkGate.rest {
        library.multiPoll(multi, nil, 0, Self.pollMilliseconds, &events)
      }
      guard code == Curl.ok else { break }
    }
    end(multi)
  }

  /// Does what the mail says; false when it says to stop.
  private func readMail(_ multi: CurlLibrary.Handle) -> Bool {
    let mail = mailbox.withLock { box in
      defer {
        box.submitted = []
        box.cancelled = []
        box.cancelAll = []
      }
      return box
    }
    mail.submitted.forEach { begin($0, multi) }
    for (easy, transfer) in running where mail.cancelled.contains(where: { $0 === transfer }) {
      settle(easy, .failed(.cancelled), multi)
    }
    if !mail.cancelAll.isEmpty { stopAll(multi) }
    mail.cancelAll.forEach { stopped in stopped.change { $0 = true } }
    return !mail.isStopping
  }

  private func begin(_ transfer: CurlTransfer, _ multi: CurlLibrary.Handle) {
    guard let easy = transfer.begin(library) else { return }
    let code = library.multiAdd(multi, easy)
    guard code == Curl.ok else {
      transfer.finish(.failed(.other("libcurl refused a transfer (code \(code))")))
      transfer.release(library)
      return
    }
    running[easy] = transfer
  }

  private func settleFinished(_ multi: CurlLibrary.Handle) {
    while let message = library.message(from: multi) {
      guard message.kind == Curl.messageDone, let easy = message.easy,
        let transfer = running[easy]
      else { continue }
      settle(easy, transfer.response(for: message.result, library), multi)
    }
  }

  /// Takes a transfer out, which closes its connection unless it is whole, then answers.
  private func settle(
    _ easy: CurlLibrary.Handle,
    _ response: UploadResponse,
    _ multi: CurlLibrary.Handle
  ) {
    guard let transfer = running.removeValue(forKey: easy) else { return }
    _ = library.multiRemove(multi, easy)
    transfer.release(library)
    transfer.finish(response)
  }

  private func stopAll(_ multi: CurlLibrary.Handle) {
    for easy in Array(running.keys) { settle(easy, .failed(.cancelled), multi) }
  }

  private func end(_ multi: CurlLibrary.Handle) {
    stopAll(multi)
    let late = mailbox.withLock { box in
      defer { box = Mailbox(isStopping: box.isStopping) }
      return box
    }
    _ = library.multiCleanup(multi)
    late.submitted.forEach { $0.finish(.failed(.cancelled)) }
    late.cancelAll.forEach { stopped in stopped.change { $0 = true } }
  }
}

/// Keeps signals away from the calling thread and the threads it starts.
///
/// The app's handlers must not run here, and a TLS library that writes to a closed socket must not
/// end the process: SIGPIPE goes to the writing thread. A fault of this thread's own still reaches
/// the app's crash reporter.
private func blockSignals() {
  var all = sigset_t()
  sigfillset(&all)
  for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT] {
    sigdelset(&all, fault)
  }
  pthread_sigmask(SIG_SETMASK, &all, nil)
}
#endif
