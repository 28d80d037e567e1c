#if os(Linux)
import FootfallSystem

/// The transport on Linux: `libcurl.so.4`, bound at run time, on one thread of its own.
///
/// Connections are kept and used again. Certificates are checked, redirects are not followed, no
/// signal is used, and `http_proxy`, `https_proxy` and `no_proxy` are heeded except for this machine
/// itself. Without libcurl every request fails with the loader's reason, which the log says once.
/// (`URLSession` would keep a core busy while a request waits for its answer.)
package final class CurlTransport: Transport {
  private let worker: CurlWorker?
  private let missing: String

  /// Makes a transport; its thread and connections begin with the first request.
  package convenience init(log: Logger) { self.init(CurlLibrary.shared, log: log) }

  init(_ library: Result<CurlLibrary, MissingLibrary>, log: Logger) {
    switch library {
    case .success(let library):
      worker = CurlWorker(library)
      missing = ""
    case .failure(let error):
      worker = nil
      missing = error.reason
      log.error("Events are kept and cannot be sent: \(error.reason).")
    }
  }

  deinit { worker?.stop() }

  /// Sends a request and waits for the whole answer; see `Transport`.
  package func send(_ request: UploadRequest) async -> UploadResponse {
    guard let worker else { return .failed(.other(missing)) }
    let transfer = CurlTransfer(request)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        ForkGate.work {
          transfer.expect(continuation)
          worker.submit(transfer)
        }
      }
    } onCancel: {
      worker.cancel(transfer)
    }
  }

  /// Stops every request on its way; see `Transport`.
  package func cancelAll() { worker?.cancelAll() }

  /// Cancels every request and ends the thread; see `Transport`.
  package func shutdown() {
    worker?.stop()
    worker?.cancelAll()
  }
}
#endif
