/// The older requests of Amplitude's clients and scripts: a form with JSON in one of its fields.
///
/// Answers are words, not JSON. Source: HTTP API (deprecated), Identify API, Group Identify API.
public enum AmplitudeForm {
  /// What a form asks for.
  public enum Purpose: Sendable {
    /// Events: fields `client`, `e` and `upload_time`, or `api_key` and `event`.
    case upload
    /// Property operations on people: fields `api_key` and `identification`.
    case identify
    /// Property operations on groups: fields `api_key` and `identification`.
    case groupIdentify
    /// Events of those who brought a person to the app: fields `api_key` and `event`.
    case attribution
  }

  /// Decodes a form's fields into a record and an answer.
  ///
  /// - Parameters:
  ///   - fields: Names and values, decoded; of a name the first counts.
  ///   - purpose: What the path asks for.
  ///   - project: Looks a key up; nil for one that may not send.
  ///   - context: When the request came.
  ///   - scratch: Reused memory.
  ///   - clientMember: What the operator says of the client, which comes first in the record's description of
  ///     it; asked once the body is read. See `RecordEditing.clientMember`.
  /// - Returns: 200 `success`; a refusal keeps nothing. Bad events of an upload are left out and counted.
  public static func decode(
    _ fields: [(name: String, value: String)],
    for purpose: Purpose,
    project: (_ apiKey: String) -> UInt32?,
    context: WireContext,
    scratch: inout WireScratch,
    clientMember: () -> String? = { nil }
  ) -> WireOutcome {
    func first(_ names: String...) -> String? {
      fields.first { names.contains($0.name) && !$0.value.isEmpty }?.value
    }
    let isUpload = purpose == .upload
    guard let project = first("api_key", isUpload ? "client" : "api_key").flatMap(project) else {
      return .refused(answer(400, "invalid_api_key"), reason: "unknown_key")
    }
    let named =
      switch purpose {
      case .upload: first("e", "event")
      case .attribution: first("event")
      case .identify, .groupIdentify: first("identification")
      }
    guard var json = named else {
      return .refused(answer(400, "missing_event"), reason: "missing_field")
    }
    guard !isUpload || isWhole(fields) else {
      return .refused(answer(400, "bad_checksum"), reason: "bad_checksum")
    }
    let limits = purpose.limits
    guard json.utf8.count <= limits.maxBytes else { return tooLarge("too_large") }
    let sentAtMs = isUpload ? first("upload_time").flatMap { Int64($0) } : nil
    return json.withUTF8 { bytes in
      walk(
        AmplitudePass(
          UnsafeRawBufferPointer(bytes),
          context: context,
          limits: limits,
          dialect: purpose.dialect,
          scratch: scratch
        ),
        project: project,
        sentAtMs: sentAtMs,
        clientMember
      )
    }
  }

  /// 400: the body is no form, so that nothing in it was looked at, the key neither.
  public static var notAForm: WireAnswer {
    answer(
      400,
      "not_a_form: send the fields api_key and identification (/attribution: event) as "
        + "application/x-www-form-urlencoded or in the address"
    )
  }

  /// 429: a person's properties are updated too often; scripts wait for 15 s (Identify API, "Limits").
  public static var tooManyUpdates: WireAnswer {
    var answer = answer(429, "too_many_requests_for_user")
    answer.retryAfterSeconds = 15
    return answer
  }

  /// Whether the checksum that some clients send holds: MD5 over four other fields, in hexadecimal.
  ///
  /// A client whose upload was damaged on its way sends it again.
  private static func isWhole(_ fields: [(name: String, value: String)]) -> Bool {
    func value(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }
    let told = value("checksum").lowercased()
    guard !told.isEmpty else { return true }
    let summed = value("v") + value("client") + value("e") + value("upload_time")
    let digits = String(Array(summed.utf8).withUnsafeBytes(MD5.number), radix: 16)
    return told == String(repeating: "0", count: 32 - digits.count) + digits
  }

  private static func walk(
    _ pass: consuming AmplitudePass,
    project: UInt32,
    sentAtMs: Int64?,
    _ clientMember: () -> String?
  ) -> WireOutcome {
    let outcome: WireOutcome
    do throws(BodyProblem) {
      try pass.runForm(project: project, sentAtMs: sentAtMs)
      outcome = pass.outcome(answer(200, "success"), clientMember: clientMember())
    } catch {
      outcome =
        error == .tooManyEvents
        ? tooLarge("too_many_events")
        : .refused(answer(400, "invalid_json"), reason: "unreadable")
    }
    pass.end()
    return outcome
  }

  private static func tooLarge(_ reason: String) -> WireOutcome {
    .refused(answer(413, "request_too_large"), reason: reason)
  }

  private static func answer(_ status: Int, _ word: String) -> WireAnswer {
    WireAnswer(status: status, body: Array(word.utf8), isPlainText: true)
  }
}

extension AmplitudeForm.Purpose {
  fileprivate var dialect: AmplitudeDialect {
    switch self {
    case .upload: .legacy
    case .identify: .identify
    case .groupIdentify: .groupIdentify
    case .attribution: .attribution
    }
  }

  /// 1 MB each; 1,024 objects of `/groupidentify` (Group Identify API, "Limits"), as many of
  /// `/identify`.
  fileprivate var limits: AmplitudeHTTPV2.Limits {
    var limits = AmplitudeHTTPV2.Limits.upload
    if self == .identify || self == .groupIdentify { limits.maxEvents = 1024 }
    return limits
  }
}
