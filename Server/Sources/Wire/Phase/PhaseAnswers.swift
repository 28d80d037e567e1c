/// The bodies that Phase's clients read.
///
/// Source: `phase.md` section 6.
enum PhaseAnswers {
  /// An error object with its status.
  static func refusal(
    _ refusal: PhaseRefusal,
    status: Int? = nil,
    retryAfterSeconds: Int? = nil
  ) -> WireAnswer {
    var json = JSONText()
    json.append("{\"code\":\"\(refusal.code.rawValue)\",\"detail\":")
    json.append(quoting: refusal.detail)
    json.append("}")
    return WireAnswer(
      status: status ?? refusal.code.status,
      body: json.bytes,
      retryAfterSeconds: retryAfterSeconds
    )
  }

  /// A batch's results and errors: 200, 207 where some items failed, 400 where all did.
  static func batch(
    results: [(item: PhaseItem, id: String)],
    refusals: [(item: PhaseItem, refusal: PhaseRefusal)]
  ) -> WireAnswer {
    var json = JSONText()
    json.append("{\"processed\":\(results.count),\"failed\":\(refusals.count),\"results\":[")
    for (index, result) in results.enumerated() {
      json.append(index == 0 ? "{\"clientOrder\":" : ",{\"clientOrder\":")
      json.append(result.item.order)
      json.append(",\"type\":\"\(result.item.kind.rawValue)\",\"id\":")
      json.append(quoting: result.id)
      json.append("}")
    }
    json.append("],\"errors\":[")
    for (index, refused) in refusals.enumerated() {
      json.append(index == 0 ? "{\"clientOrder\":" : ",{\"clientOrder\":")
      json.append(refused.item.order)
      json.append(",\"code\":\"\(refused.refusal.code.rawValue)\",\"detail\":")
      json.append(quoting: refused.refusal.detail)
      json.append("}")
    }
    json.append("]}")
    let status = refusals.isEmpty ? 200 : results.isEmpty ? 400 : 207
    return WireAnswer(status: status, body: json.bytes)
  }

  /// A device as it is known now.
  ///
  /// Old clients cannot read a platform other than the two they know, and would send the device again
  /// and again: they are told none.
  static func device(_ id: String, _ device: PhaseDevice?, readsAll: Bool) -> WireAnswer {
    let platform = device?.platform.flatMap { name in
      readsAll || name == "ios" || name == "android" ? name : nil
    }
    return answer { json in
      json.append("{\"deviceId\":")
      json.append(quoting: id)
      append("osVersion", device?.osVersion, to: &json)
      append("platform", platform, to: &json)
      append("locale", device?.locale, to: &json)
      append("model", device?.model.map(AppleModel.name), to: &json)
      append("country", device?.country, to: &json)
      json.append(",\"properties\":")
      json.append(bytes: (device?.properties ?? PhaseValues()).json())
      append("firstSeen", UTCTime(device?.firstSeenMs ?? 0).extended, to: &json)
      json.append("}")
    }
  }

  /// A session as it is known now.
  static func session(_ id: String, _ session: PhaseSession?) -> WireAnswer {
    answer { json in
      json.append("{\"sessionId\":")
      json.append(quoting: id)
      append("deviceId", session?.deviceID, to: &json)
      append("startedAt", UTCTime(session?.startedMs ?? 0).extended, to: &json)
      append("lastActivityAt", UTCTime(session?.lastActivityMs ?? 0).extended, to: &json)
      json.append("}")
    }
  }

  /// An event as it was kept.
  static func event(
    _ item: PhaseItem,
    id: String,
    _ session: PhaseSession?,
    isDebug: Bool
  ) -> WireAnswer {
    answer { json in
      json.append("{\"eventId\":")
      json.append(quoting: id)
      append("sessionId", item.sessionID, to: &json)
      append("deviceId", session?.deviceID, to: &json)
      append("name", item.isScreen ? PhaseRules.screenName(item.name) : item.name, to: &json)
      json.append(",\"params\":")
      if item.values.members.isEmpty {
        json.append("null")
      } else {
        json.append(bytes: item.values.json(sorted: true))
      }
      json.append(",\"isScreen\":\(item.isScreen),\"isDebug\":\(isDebug)")
      append("timestamp", UTCTime(item.timeMs).extended, to: &json)
      json.append("}")
    }
  }

  /// A session's last activity.
  static func ping(_ id: String, _ session: PhaseSession?) -> WireAnswer {
    answer { json in
      json.append("{\"sessionId\":")
      json.append(quoting: id)
      append("lastActivityAt", UTCTime(session?.lastActivityMs ?? 0).extended, to: &json)
      json.append("}")
    }
  }

  private static func answer(_ body: (inout JSONText) -> Void) -> WireAnswer {
    var json = JSONText()
    body(&json)
    return WireAnswer(status: 200, body: json.bytes)
  }

  private static func append(_ name: String, _ value: String?, to json: inout JSONText) {
    json.append(",\"\(name)\":")
    if let value { json.append(quoting: value) } else { json.append("null") }
  }
}

/// `POST /sdk/…`, as Phase's clients speak it.
public enum PhaseSDK {
  /// Reads a body (inflated).
  ///
  /// - Returns: The call, or the answer that refuses it: 400 for what is no JSON, 422 for what has
  ///   another shape than the protocol's.
  public static func read(
    _ body: UnsafeRawBufferPointer,
    path: PhasePath
  ) -> Result<PhaseCall, PhaseReadRefusal> {
    do throws(JSONFault) {
      return .success(try PhaseBody.read(body, path: path))
    } catch {
      switch error {
      case .unreadable:
        let refusal = PhaseRefusal(code: .badRequest, detail: "The body is not JSON.")
        return .failure(PhaseReadRefusal(answer: PhaseAnswers.refusal(refusal)))
      case .schema(let detail):
        let refusal = PhaseRefusal(code: .validation, detail: detail)
        return .failure(PhaseReadRefusal(answer: PhaseAnswers.refusal(refusal, status: 422)))
      }
    }
  }

  /// 401: no key, or none that may send.
  public static func unauthorized() -> WireAnswer {
    refusal(.unauthorized, "The Authorization field must be “Bearer” and a working key.")
  }

  /// 405 on a path that takes calls by POST alone.
  public static func methodNotAllowed() -> WireAnswer {
    refusal(.methodNotAllowed, "This path takes POST.")
  }

  /// 413: more bytes than are taken.
  public static func tooLarge(limitBytes: Int) -> WireAnswer {
    refusal(.badRequest, "The body is over \(limitBytes) bytes; send less at once.", status: 413)
  }

  /// 415: the body's compression cannot be read.
  public static func unreadable() -> WireAnswer {
    refusal(.badRequest, "The body's compression cannot be read.")
  }

  /// 429: too many requests of one device or address within a minute.
  public static func tooManyRequests(limit: Int, retryAfterSeconds: Int) -> WireAnswer {
    refusal(
      .tooManyRequests,
      "More than \(limit) requests in 60 seconds; wait \(retryAfterSeconds) seconds.",
      retryAfterSeconds: retryAfterSeconds
    )
  }

  /// 429: the project is over its number of events a day.
  public static func overQuota(retryAfterSeconds: Int) -> WireAnswer {
    refusal(
      .tooManyRequests,
      "The project is over its number of events a day; wait \(retryAfterSeconds) seconds.",
      retryAfterSeconds: retryAfterSeconds
    )
  }

  /// 503: the server cannot keep more now.
  public static func overloaded(retryAfterSeconds: Int) -> WireAnswer {
    refusal(
      .internalError,
      "The server cannot keep more now.",
      status: 503,
      retryAfterSeconds: retryAfterSeconds
    )
  }

  private static func refusal(
    _ code: PhaseRefusal.Code,
    _ detail: String,
    status: Int? = nil,
    retryAfterSeconds: Int? = nil
  ) -> WireAnswer {
    PhaseAnswers.refusal(
      PhaseRefusal(code: code, detail: detail),
      status: status,
      retryAfterSeconds: retryAfterSeconds
    )
  }
}

/// A body that is refused as a whole.
public struct PhaseReadRefusal: Error, Sendable {
  /// What to answer.
  public let answer: WireAnswer
}
