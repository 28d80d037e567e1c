/// What a codec must know about a request beside its body.
public struct WireContext: Sendable {
  /// When the server had the whole request, in milliseconds since 1970 (UTC).
  public var receivedAtMs: Int64
  /// When the client says it sent the request, by its own clock, in milliseconds since 1970 (UTC).
  ///
  /// The header `Footfall-Sent-At`; nil when it is not there. Amplitude's clients say it in the body.
  public var sentAtMs: Int64?
  /// Where the request came from, as text; nil when addresses are not kept.
  public var clientAddress: String?
  /// Tells where addresses are; nil where nobody knows, or may ask.
  public var places: WirePlaces?
  /// Tells names, as UTF-8, of events that the project refuses; nil where it refuses none.
  public var isBlocked: (@Sendable (UnsafeRawBufferPointer) -> Bool)?

  /// A context from its parts.
  public init(
    receivedAtMs: Int64,
    sentAtMs: Int64? = nil,
    clientAddress: String? = nil,
    places: WirePlaces? = nil
  ) {
    self.receivedAtMs = receivedAtMs
    self.sentAtMs = sentAtMs
    self.clientAddress = clientAddress
    self.places = places
  }
}

/// An answer in the shape its protocol's clients expect.
public struct WireAnswer: Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The body: a JSON object, or a word where the protocol has no JSON.
  public var body: [UInt8]
  /// True for an answer that is no JSON.
  public var isPlainText = false
  /// The value for the `Retry-After` header; nil for none.
  public var retryAfterSeconds: Int?

  /// An answer from its parts.
  public init(
    status: Int,
    body: [UInt8],
    isPlainText: Bool = false,
    retryAfterSeconds: Int? = nil
  ) {
    self.status = status
    self.body = body
    self.isPlainText = isPlainText
    self.retryAfterSeconds = retryAfterSeconds
  }
}

/// What became of a request.
public enum WireOutcome: Sendable {
  /// Readable: log the record (unless it holds no event), then give the answer.
  case accepted(WireAcceptance)
  /// Nothing of it is kept. The reason is a short name for metrics, without anything of the request.
  case refused(WireAnswer, reason: String)
}

/// A readable request.
public struct WireAcceptance: Sendable {
  /// The record for the ingest log; empty when no event is left to log.
  public var record: [UInt8]
  /// How many events the record holds.
  public var events: Int
  /// How many events repeated another one of this request and were left out.
  public var duplicates: Int
  /// Whose events the record holds; told by protocols that slow down who sends too fast.
  public var senders: [WireSender] = []
  /// How many events were refused, by reason.
  public var rejections: [RejectionReason: Int]
  /// What the client says it dropped before sending, by the client's own reasons.
  public var clientDropped: [String: Int]
  /// The answer to give once the record is synced.
  public var answer: WireAnswer
}

extension WireAcceptance {
  /// A request that was taken as a whole.
  public init(record: [UInt8], events: Int, answer: WireAnswer) {
    self.init(
      record: record,
      events: events,
      duplicates: 0,
      rejections: [:],
      clientDropped: [:],
      answer: answer
    )
  }
}

/// Why one event of a readable request was refused; the raw value is what a native client reads.
public enum RejectionReason: String, Sendable, Hashable, CaseIterable {
  /// The element is not a JSON object.
  case notAnObject = "not_an_object"
  /// Over 64 KiB as sent.
  case eventTooLarge = "event_too_large"
  /// Neither `id` nor `event_id`: a repeat could not be told from a new event.
  case missingID = "missing_id"
  /// Neither a text nor an integer, empty, or over 1,024 bytes.
  case invalidID = "invalid_id"
  /// Neither `name` nor `event`, and no operations.
  case missingName = "missing_name"
  /// Not a text.
  case invalidName = "invalid_name"
  /// Over 256 characters.
  case nameTooLong = "name_too_long"
  /// No `ts`: a repeat could not be told from a new event.
  case missingTimestamp = "missing_ts"
  /// Neither a number nor an RFC 3339 text with an offset.
  case invalidTimestamp = "invalid_ts"
  /// Over 3,653 days back, or beyond the year 9999.
  case timestampOutOfRange = "ts_out_of_range"
  /// `device_id`, `user_id` or `session_id` is neither a text nor an integer, or over 1,024 bytes.
  case invalidIdentity = "invalid_identity"
  /// `props`, `groups` or `ops` is not an object, `seq` not an integer or `test` not a boolean.
  case invalidField = "invalid_field"
  /// Over 256 entries in one object.
  case tooManyProperties = "too_many_properties"
  /// Over 8 levels of objects and lists.
  case tooDeep = "too_deep"
  /// A text over 8 KiB.
  case stringTooLong = "string_too_long"
  /// A number that no 64-bit form can hold.
  case numberOutOfRange = "number_out_of_range"
  /// An item of a batch that the answer names with its reason.
  case refusedItem = "refused_item"
  /// The project refuses events of this name.
  case blocked = "blocked"
}
