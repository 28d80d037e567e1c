package import Foundation

/// Sends one HTTP request at a time or several at once, and says what came back.
///
/// Two real forms: `CurlTransport` on Linux, `URLSessionTransport` on Apple platforms. A transport
/// decides nothing: it does not retry, does not follow redirects and does not judge a status code.
package protocol Transport: Sendable {
  /// Sends a request and waits for the whole answer.
  ///
  /// Never throws and always returns: after `UploadRequest.timeoutSeconds` at the latest, at once
  /// when the surrounding task is cancelled, `cancelAll()` is called or the transport was shut down
  /// (each `.failed(.cancelled)`). Any thread.
  func send(_ request: UploadRequest) async -> UploadResponse

  /// Stops every request on its way; the transport can be used again afterwards.
  ///
  /// When it returns no request that was begun before writes another byte to its socket. Blocks for
  /// that, a few milliseconds as a rule and one second at most. Any thread but the main actor's
  /// callers should not make a habit of it.
  func cancelAll()

  /// Cancels every request and gives threads and connections back, for good.
  ///
  /// Blocks like `cancelAll()`. A later `send` answers `.failed(.cancelled)`; a second call does
  /// nothing.
  func shutdown()
}

/// One HTTP request of the library: a POST of events, a PUT of one thing, or a question by GET.
package struct UploadRequest: Sendable {
  /// What is asked of the server.
  package enum Method: String, Sendable, Hashable {
    /// A question, sent without a body.
    case get = "GET"
    /// Something is handed over.
    case post = "POST"
    /// Something takes the place of what is there.
    case put = "PUT"
  }

  /// What is asked of the server; POST unless told otherwise.
  package var method: Method
  /// Where to, `http` or `https`.
  package var url: String
  /// Header fields in the order they are sent; names as they should appear.
  package var headers: [(name: String, value: String)]
  /// The body as sent, already compressed if it is to be; a GET leaves it away.
  package var body: [UInt8]
  /// The longest the whole exchange may take, in seconds; connecting may take 10 s of it.
  package var timeoutSeconds: TimeInterval

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - method: POST unless told otherwise.
  ///   - url: The address, `http` or `https`.
  ///   - headers: Header fields in order.
  ///   - body: The body as sent.
  ///   - timeoutSeconds: For the whole exchange, 30 s unless told otherwise.
  package init(
    method: Method = .post,
    url: String,
    headers: [(name: String, value: String)] = [],
    body: [UInt8] = [],
    timeoutSeconds: TimeInterval = TransportLimits.timeoutSeconds
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeoutSeconds = timeoutSeconds
  }
}

/// What became of a request.
package enum UploadResponse: Sendable {
  /// The server answered: its status, header fields by lower-cased name (repeated ones joined with
  /// a comma) and body, of which at most `TransportLimits.maxAnswerBytes` are kept.
  case answered(status: Int, headers: [String: String], body: [UInt8])
  /// No whole answer came; whether the server took the request is unknown.
  case failed(TransportFailure)
}

extension UploadResponse: CustomStringConvertible {
  /// A short sentence part for log lines, as in "request 3: answered 202".
  package var description: String {
    switch self {
    case .answered(let status, _, let body): "answered \(status) with \(body.count) bytes"
    case .failed(let failure): "\(failure)"
    }
  }
}

/// Why no answer came, with the library's own text where it has one.
package enum TransportFailure: Sendable, Equatable {
  /// The server could not be reached: no network, no such host, connection refused.
  case offline(String)
  /// The request took longer than allowed.
  case timedOut
  /// The task was cancelled, or the transport told to stop.
  case cancelled
  /// The secure connection could not be made, as with an untrusted certificate.
  case tls(String)
  /// Anything else: a connection lost on the way, an address that is none, a missing library.
  case other(String)
}

extension UploadResponse {
  /// Whether the body may be cut off at the limit, and what is missing might matter.
  package var isCut: Bool {
    guard case .answered(_, _, let body) = self else { return false }
    return body.count >= TransportLimits.maxAnswerBytes
  }
}

extension TransportFailure: CustomStringConvertible {
  /// A short sentence part for log lines, as in "upload failed: the request timed out".
  package var description: String {
    switch self {
    case .offline(let reason): "the server cannot be reached (\(reason))"
    case .timedOut: "the request timed out"
    case .cancelled: "the request was cancelled"
    case .tls(let reason): "no secure connection (\(reason))"
    case .other(let reason): reason
    }
  }
}

/// The numbers every transport keeps to.
package enum TransportLimits {
  /// The longest connecting may take, name lookup and TLS included, in seconds.
  package static let connectSeconds: TimeInterval = 10
  /// The longest a whole exchange may take unless the request says otherwise, in seconds.
  package static let timeoutSeconds: TimeInterval = 30
  /// How much of an answer's body is kept, in bytes; the rest is not read.
  ///
  /// An answer names at most 1,000 rejected events, some 100 bytes each.
  package static let maxAnswerBytes = 1 << 20
  /// How much of an answer's header is kept, in bytes; further fields are ignored.
  package static let maxHeaderBytes = 64 << 10
}
