/// An AWS service that clients of AWS are served in place of.
public enum AWSService: String, Sendable, Hashable, CaseIterable {
  /// Pinpoint; the raw value is the name it is signed for and named by in rights.
  case pinpoint = "mobiletargeting"
  /// Kinesis Data Streams.
  case kinesis
  /// Firehose.
  case firehose

  /// The content type of its answers.
  public var contentType: String {
    self == .pinpoint ? "application/json" : "application/x-amz-json-1.1"
  }
}

/// Why a request of an AWS client is refused as a whole, by the names those clients know.
public struct AWSRefusal: Error, Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The error's name, such as `BadRequestException`; clients raise it as a type.
  public var code: String
  /// What happened, for people.
  public var message: String
  /// The value for the `Retry-After` header; nil for none.
  public var retryAfterSeconds: Int?

  /// A refusal from its parts.
  public init(_ status: Int, _ code: String, _ message: String, retryAfterSeconds: Int? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.retryAfterSeconds = retryAfterSeconds
  }
}

extension AWSService {
  /// The refusal of a caller whose signature is good and who may not do this.
  public func notAllowed(_ action: String, on resource: String) -> AWSRefusal {
    let message = "This key may not perform \(rawValue):\(action) on \(resource)."
    return self == .pinpoint
      ? AWSRefusal(403, "ForbiddenException", message)
      : AWSRefusal(400, "AccessDeniedException", message)
  }

  /// The body of a refusal.
  ///
  /// Pinpoint names the error in the header `x-amzn-ErrorType` alone; the other services also in the
  /// body.
  public func body(of refusal: AWSRefusal, requestID: String) -> [UInt8] {
    var json = JSONText()
    switch self {
    case .pinpoint:
      json.append("{\"Message\":")
      json.append(quoting: refusal.message)
      json.append(",\"RequestID\":")
      json.append(quoting: requestID)
    case .kinesis, .firehose:
      json.append("{\"__type\":")
      json.append(quoting: refusal.code)
      json.append(",\"message\":")
      json.append(quoting: refusal.message)
    }
    json.append("}")
    return json.bytes
  }
}
