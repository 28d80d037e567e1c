#if canImport(Darwin)
import Foundation
import FootfallSystem

/// Gathers the answers of one session's tasks, follows no redirect and keeps bodies bounded.
final class AnswerReceiver: NSObject, URLSessionDataDelegate {
  private struct Reception {
    var status: Int?
    var answer = HTTPAnswer()
    let waiting: CheckedContinuation<UploadResponse, Never>
  }
  private let receptions = Lock<[Int: Reception]>([:])

  /// Notes who waits for a task; call it before the task is resumed.
  func expect(_ task: Int, _ continuation: CheckedContinuation<UploadResponse, Never>) {
    receptions.withLock { $0[task] = Reception(waiting: continuation) }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(
    _ session: URLSession,
    dataTask: URLSessionDataTask,
    didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    let answer = response as? HTTPURLResponse
    let fields = (answer?.allHeaderFields ?? [:]).map { ("\($0.key)", "\($0.value)") }
    receptions.withLock { receptions in
      receptions[dataTask.taskIdentifier]?.status = answer?.statusCode
      for (name, value) in fields {
        receptions[dataTask.taskIdentifier]?.answer.receive(header: name, value: value)
      }
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let wantsMore = receptions.withLock { receptions in
      receptions[dataTask.taskIdentifier]?.answer.receive(body: data) ?? false
    }
    if !wantsMore { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    guard
      let reception = receptions.withLock({ $0.removeValue(forKey: task.taskIdentifier) })
    else { return }
    guard let status = reception.status, error == nil || reception.answer.isCut else {
      reception.waiting.resume(returning: .failed(TransportFailure(error)))
      return
    }
    reception.waiting.resume(
      returning: .answered(
        status: status,
        headers: reception.answer.headers,
        body: reception.answer.body
      )
    )
  }
}

extension TransportFailure {
  /// The failure that an error of `URLSession` stands for.
  init(_ error: (any Error)?) {
    guard let error = error as? URLError else {
      self = .other(error?.localizedDescription ?? "the answer is not HTTP")
      return
    }
    switch error.code {
    case .cancelled: self = .cancelled
    case .timedOut: self = .timedOut
    case .notConnectedToInternet, .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed,
      .dataNotAllowed, .internationalRoamingOff:
      self = .offline(error.localizedDescription)
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid,
      .clientCertificateRejected, .clientCertificateRequired,
      .appTransportSecurityRequiresSecureConnection:
      self = .tls(error.localizedDescription)
    default: self = .other(error.localizedDescription)
    }
  }
}
#endif
