package import FootfallPlatform
public import Foundation

/// Why a request with events failed, as a `ResponseHandler` is told.
public struct UploadFailure: Error, Sendable {
  /// The status of the answer; nil if there was none.
  public let status: Int?
  /// The body of the answer; empty if there was none.
  public let body: Data
  /// Whether the server took too long to answer.
  public let isTimeout: Bool

  /// The body's members; none if it is no JSON object.
  public var data: [String: Any] {
    do { return try JSONSerialization.jsonObject(with: body) as? [String: Any] ?? [:] } catch {
      // The page of a proxy, say: there is nothing in it for a handler.
      return [:]
    }
  }

  /// A response in the form in which handlers take it.
  package static func result(of response: UploadResponse) -> Result<Int, any Error> {
    switch response {
    case .answered(let status, _, _) where (1..<300).contains(status): .success(status)
    case .answered(let status, _, let body):
      .failure(UploadFailure(status: status, body: Data(body), isTimeout: false))
    case .failed(.timedOut): .failure(UploadFailure(status: nil, body: Data(), isTimeout: true))
    case .failed: .failure(UploadFailure(status: nil, body: Data(), isTimeout: false))
    }
  }
}

extension ResponseHandler {
  /// Hands an answer to the method for its kind, unless the handler says otherwise.
  public func handle(result: Result<Int, any Error>) -> Bool {
    switch result {
    case .success(let code): return handleSuccessResponse(code: code)
    case .failure(let error):
      let failure = error as? UploadFailure
      let data = failure?.data ?? [:]
      switch failure?.status {
      case 400: return handleBadRequestResponse(data: data)
      case 413: return handlePayloadTooLargeResponse(data: data)
      case 429: return handleTooManyRequestsResponse(data: data)
      case 408: return handleTimeoutResponse(data: data)
      case nil where failure?.isTimeout == true: return handleTimeoutResponse(data: data)
      default: return handleFailedResponse(data: data)
      }
    }
  }
}
