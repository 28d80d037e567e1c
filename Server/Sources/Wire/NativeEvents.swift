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
  /// - Returns: Never status 400: SimpleDataLogs' clients would send the same batch again for ever.
  public static func decode(
    _ body: UnsafeRawBufferPointer,
    contentType: String?,
    project: UInt32,
    context: WireContext,
    scratch: inout WireScratch
  ) -> WireOutcome {
    .refused(unsupported("Decoding is not there yet."), reason: "unreadable")
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
