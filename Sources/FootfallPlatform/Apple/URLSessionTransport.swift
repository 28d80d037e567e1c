#if canImport(Darwin)
import Foundation
import FootfallSystem

/// The transport on Apple platforms: one `URLSession` without cookies, cache and stored credentials.
package final class URLSessionTransport: Transport {
  private enum Phase {
    case ready(URLSession)
    case shutDown
  }
  private let phase = Lock(Phase.ready(URLSessionTransport.makeSession()))

  /// Makes a transport; connections begin with the first request.
  package init() {}

  deinit { end() }

  /// Sends a request and waits for the whole answer; see `Transport`.
  package func send(_ request: UploadRequest) async -> UploadResponse {
    guard let url = URL(string: request.url) else {
      // Not the address itself: it may say the project's key.
      return .failed(.other("the request's address cannot be read"))
    }
    guard let task = makeTask(request, url: url) else { return .failed(.cancelled) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        task.receiver.expect(task.task.taskIdentifier, continuation)
        task.task.resume()
      }
    } onCancel: {
      task.task.cancel()
    }
  }

  /// Stops every request on its way; see `Transport`.
  package func cancelAll() {
    let session: URLSession? = phase.withLock { phase in
      guard case .ready(let session) = phase else { return nil }
      phase = .ready(Self.makeSession())
      return session
    }
    session?.invalidateAndCancel()
  }

  /// Cancels every request and invalidates the session; see `Transport`.
  package func shutdown() { end() }

  private func end() {
    let session: URLSession? = phase.withLock { phase in
      guard case .ready(let session) = phase else { return nil }
      phase = .shutDown
      return session
    }
    session?.invalidateAndCancel()
  }

  private struct SendTask: Sendable {
    let task: URLSessionDataTask
    let receiver: AnswerReceiver
  }

  private func makeTask(_ request: UploadRequest, url: URL) -> SendTask? {
    var urlRequest = URLRequest(
      url: url,
      cachePolicy: .reloadIgnoringLocalCacheData,
      timeoutInterval: request.timeoutSeconds
    )
    urlRequest.httpMethod = request.method.rawValue
    for (name, value) in request.headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
    if request.method != .get { urlRequest.httpBody = Data(request.body) }
    let finished = urlRequest
    // Made inside the lock: a session that was invalidated in between must not be given a task.
    return phase.withLock { phase in
      guard case .ready(let session) = phase,
        let receiver = session.delegate as? AnswerReceiver
      else { return nil }
      return SendTask(task: session.dataTask(with: finished), receiver: receiver)
    }
  }

  private static func makeSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    // The session has one limit for the whole exchange; the request's own limits its silences.
    configuration.timeoutIntervalForResource = TransportLimits.timeoutSeconds
    configuration.waitsForConnectivity = false
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    return URLSession(configuration: configuration, delegate: AnswerReceiver(), delegateQueue: nil)
  }
}
#endif
