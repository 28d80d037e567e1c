/// `POST /v1/events`: our own protocol and, on the same path, SimpleDataLogs.
public enum NativeEvents {
  /// Decodes a body (inflated) into a record and an answer.
  ///
  /// - Parameters:
  ///   - body: JSON or newline-delimited JSON.
  ///   - contentType: The header's value; nil when there was none.
  ///   - project: The number of the project the key belongs to.
  ///   - context: When the request came, and when the client says it sent it.
  ///   - scratch: Reused memory.
  ///   - clientMember: What the operator says of the client, which comes first in the record's description of
  ///     it; asked once the body is read. See `RecordEditing.clientMember`.
  /// - Returns: Never status 400: SimpleDataLogs' clients would send the same batch again for ever.
  public static func decode(
    _ body: UnsafeRawBufferPointer,
    contentType: String?,
    project: UInt32,
    context: WireContext,
    scratch: inout WireScratch,
    clientMember: () -> String? = { nil }
  ) -> WireOutcome {
    guard let form = BodyForm(contentType: contentType) else {
      return .refused(
        unsupported("Send application/json or application/x-ndjson."),
        reason: "content_type"
      )
    }
    var pass = NativePass(
      body,
      project: project,
      context: context,
      scratch: scratch
    )
    let outcome: WireOutcome
    do {
      try pass.run(isLines: form == .lines)
      outcome = .accepted(pass.acceptance(clientMember: clientMember()))
    } catch {
      outcome = refusal(error, offset: pass.memory.json.scanner.offset)
    }
    pass.end()
    return outcome
  }

  private static func refusal(_ problem: BodyProblem, offset: Int) -> WireOutcome {
    switch problem {
    case .malformed:
      .refused(
        unsupported("The body is not JSON in UTF-8; see byte \(offset)."),
        reason: "unreadable"
      )
    case .tooDeep:
      .refused(
        unsupported("The body has over \(JSONScanner.maxDepth) levels; see byte \(offset)."),
        reason: "unreadable"
      )
    case .wrongShape:
      .refused(unsupported("\"events\" is not a list; see byte \(offset)."), reason: "unreadable")
    case .tooManyEvents:
      .refused(
        answer(413, "The request holds more than \(NativeLimits.events) events."),
        reason: "too_many_events"
      )
    }
  }

  /// 401: the key is unknown, revoked, or may not write.
  public static func unknownKey() -> WireAnswer {
    answer(401, "Unknown or revoked key, or a key that may not send events.")
  }

  /// 413: more than `limitBytes`, before or after inflating.
  public static func tooLarge(limitBytes: Int) -> WireAnswer {
    answer(413, "The request is larger than \(limitBytes) bytes.")
  }

  /// 415: nothing here can read the body.
  public static func unsupported(_ why: String) -> WireAnswer {
    answer(415, why)
  }

  /// 429 (this client sends too fast) or 503 (the server cannot keep more now).
  public static func overloaded(status: Int = 503, retryAfterSeconds: Int) -> WireAnswer {
    var overloaded = answer(status, "Try again in \(retryAfterSeconds) s; nothing was kept.")
    overloaded.retryAfterSeconds = retryAfterSeconds
    return overloaded
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
