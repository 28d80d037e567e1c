#if canImport(Darwin)
import Foundation
import FootfallSystem

/// Gathers the answers of one session's tasks, follows no redirect and keeps bodies bounded.
final class AnswerReceiver: NSObject, URLSessionDataDelegate {
  private typealias Waiter = CheckedContinuation<UploadResponse, Never>
  private let answers = Lock(PendingAnswers<Waiter>())

  /// Notes a task that was made; call it before the task can end.
  func expect(_ task: Int) { answers.withLock { $0.expect(task) } }

  /// Notes who waits for a task.
  func wait(for task: Int, _ continuation: CheckedContinuation<UploadResponse, Never>) {
    let known = answers.withLock { $0.wait(for: task, continuation) }
    if let known { continuation.resume(returning: known) }
  }

  /// Notes that the time of a task is over.
  func timeOut(_ task: Int) { answers.withLock { $0.timeOut(task) } }

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
    answers.withLock {
      $0.receive(status: answer?.statusCode, headers: fields, of: dataTask.taskIdentifier)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let wantsMore = answers.withLock { answers in
      answers.receive(of: dataTask.taskIdentifier) { $0.receive(body: data) }
    }
    if !wantsMore { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    let failure = error.map { TransportFailure($0) }
    let ended = answers.withLock { $0.end(task.taskIdentifier, failure) }
    if let (waiter, response) = ended { waiter.resume(returning: response) }
  }
}

extension TransportFailure {
  /// The failure that an error of `URLSession` stands for.
  init(_ error: any Error) {
    guard let error = error as? URLError else {
      self = .other(error.localizedDescription)
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
