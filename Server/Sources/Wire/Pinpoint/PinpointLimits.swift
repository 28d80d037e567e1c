/// How much Pinpoint takes.
///
/// Source: Amazon Pinpoint, "Quotas"; characters are Unicode scalars.
public enum PinpointLimits {
  /// The largest body of any request, in bytes after inflating.
  public static let requestBytes = 7 << 20
  /// The largest body of PutEvents.
  public static let putEventsBytes = 4 << 20
  /// The most events of one request, of all its endpoints together.
  public static let events = 100
  /// The largest event, in bytes as sent.
  static let eventBytes = 1_024_000
  /// The most attributes and metrics of an event, together.
  static let eventKeys = 40
  /// The longest name of an attribute or metric.
  static let keyCharacters = 50
  /// The longest value of an event's attribute.
  static let valueCharacters = 200
  /// The longest type of an event; ours, since Pinpoint names none.
  static let typeCharacters = 256
  /// The longest id, in bytes; ours as well.
  static let idBytes = 1_024
  /// The largest endpoint, in bytes as sent.
  public static let endpointBytes = 15 << 10
  /// The most values of one attribute of an endpoint or user, and the longest of them.
  static let endpointValues = 50
  static let endpointValueCharacters = 100
  /// The most endpoints of one request.
  public static let endpoints = 100
}

extension UnsafeRawBufferPointer {
  /// Whether a text in UTF-8 has more than that many Unicode scalars.
  func isLonger(than characters: Int) -> Bool {
    count > characters && count(where: { $0 & 0xc0 != 0x80 }) > characters
  }
}

extension AWSRefusal {
  /// 400: what is wrong with a request.
  public static func badRequest(_ message: String) -> AWSRefusal {
    AWSRefusal(400, "BadRequestException", message)
  }

  /// 404: there is no such application, endpoint or user.
  public static func notFound(_ message: String) -> AWSRefusal {
    AWSRefusal(404, "NotFoundException", message)
  }

  /// 413: the body is over the operation's limit.
  public static func tooLarge(limitBytes: Int) -> AWSRefusal {
    AWSRefusal(
      413,
      "PayloadTooLargeException",
      "The request is larger than \(limitBytes) bytes; send it in parts."
    )
  }
}
