/// `POST /2/httpapi` and `/batch`, as Amplitude's clients speak them.
public enum AmplitudeHTTPV2 {
  /// How much one request may hold.
  public struct Limits: Sendable {
    /// The largest body, in bytes after inflating.
    public var maxBytes: Int
    /// The most events.
    public var maxEvents: Int
    /// The largest event, in bytes as sent: every page that lists events reads whole ones.
    public var maxEventBytes = 1024 * 1024

    /// For `/2/httpapi`: 1 MB and 2000 events (HTTP V2 API, "Upload limit").
    public static let upload = Limits(maxBytes: 1024 * 1024, maxEvents: 2000)
    /// For `/batch`: 20 MB and 2000 events (Batch Event Upload API, "Limits").
    public static let batch = Limits(maxBytes: 20 * 1024 * 1024, maxEvents: 2000)
  }

  /// Decodes a body (inflated) into a record and an answer.
  ///
  /// - Parameters:
  ///   - body: JSON with `api_key` and `events`.
  ///   - project: Looks a key up; nil for one that may not send. Called once per `api_key`.
  ///   - context: When the request came.
  ///   - limits: `.upload` or `.batch`.
  ///   - scratch: Reused memory.
  ///   - clientMember: What the operator says of the client, which comes first in the record's description of
  ///     it; asked once the body is read. See `RecordEditing.clientMember`.
  /// - Returns: 400 keeps nothing of the request and names every bad event.
  public static func decode(
    _ body: UnsafeRawBufferPointer,
    project: (_ apiKey: String) -> UInt32?,
    context: WireContext,
    limits: Limits = .upload,
    scratch: inout WireScratch,
    clientMember: () -> String? = { nil }
  ) -> WireOutcome {
    guard body.count <= limits.maxBytes else { return .refused(tooLarge(), reason: "too_large") }
    guard body.contains(where: { $0 > 0x20 }) else {
      return .refused(answer(400, "Missing request body"), reason: "unreadable")
    }
    var pass = AmplitudePass(body, context: context, limits: limits, scratch: scratch)
    let outcome: WireOutcome
    do {
      switch try pass.run(project) {
      case .walked: outcome = pass.outcome(bodyBytes: body.count, clientMember: clientMember())
      case .missing(let field): outcome = .refused(missingField(field), reason: "missing_field")
      case .unknownKey(let key): outcome = .refused(unknownKey(key), reason: "unknown_key")
      }
    } catch {
      outcome = refusal(error)
    }
    pass.end()
    return outcome
  }

  private static func refusal(_ problem: BodyProblem) -> WireOutcome {
    switch problem {
    case .malformed, .tooDeep:
      .refused(answer(400, "Invalid JSON request body"), reason: "unreadable")
    case .wrongShape: .refused(answer(400, "Invalid event JSON"), reason: "unreadable")
    case .tooManyEvents: .refused(tooLarge(), reason: "too_many_events")
    }
  }

  private static func missingField(_ field: String) -> WireAnswer {
    var json = JSONText()
    json.append("{\"code\":400,\"error\":\"Request missing required field\",\"missing_field\":")
    json.append(quoting: field)
    json.append("}")
    return WireAnswer(status: 400, body: json.bytes)
  }

  /// 400 with exactly the text by which Swift's client knows that its key is wrong.
  public static func unknownKey(_ apiKey: String) -> WireAnswer {
    answer(400, "Invalid API key: " + apiKey)
  }

  /// 413: the client splits its batch.
  public static func tooLarge() -> WireAnswer {
    answer(413, "Payload too large")
  }

  /// 429 (sent too fast) or 503 (the server cannot keep more now); nothing was kept.
  public static func overloaded(status: Int = 503, retryAfterSeconds: Int) -> WireAnswer {
    var json = JSONText()
    json.append("{\"code\":\(status),\"error\":")
    json.append(
      quoting: status == 429
        ? "Too many requests for some devices and users" : "Service unavailable"
    )
    // Old Android clients read an integer `eps_threshold` on every 429.
    json.append(status == 429 ? ",\"eps_threshold\":30}" : "}")
    return WireAnswer(status: status, body: json.bytes, retryAfterSeconds: retryAfterSeconds)
  }

  /// Any other refusal, in this protocol's shape.
  public static func answer(_ status: Int, _ error: String) -> WireAnswer {
    var json = JSONText()
    json.append("{\"code\":\(status),\"error\":")
    json.append(quoting: error)
    json.append("}")
    return WireAnswer(status: status, body: json.bytes)
  }
}
