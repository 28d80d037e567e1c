package import FootfallCore
package import FootfallEngine
package import FootfallPlatform

/// Amplitude's HTTP V2 and batch API on the wire.
///
/// Source: `amplitude.md` sections 1.1 to 1.11 and 2.12.
package struct AmplitudeCodec: Sendable {
  /// Where requests go.
  package var endpoint: AmplitudeEndpoint
  /// The project's key.
  package var key: String
  /// Compresses bodies, if the endpoint takes them so.
  package var gzip: Gzip
  /// The shortest id that the server shall take, in characters; nil for its own 5.
  package var minIDLength: Int?
  /// How large events may be.
  package var limits = EventLimits.amplitude
  /// The longest an exchange may take, in seconds.
  package var timeoutSeconds = 60.0

  /// A codec for one endpoint and key.
  package init(endpoint: AmplitudeEndpoint = AmplitudeEndpoint(), key: String, gzip: Gzip) {
    self.endpoint = endpoint
    self.key = key
    self.gzip = gzip
  }

  /// What statuses mean, but for 400, whose body decides.
  static let answers: AnswerRules = {
    var rules = AnswerRules()
    rules.keyRefused = []
    rules.unreadable = []
    return rules
  }()
}

extension AmplitudeCodec: WireCodec {
  package func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    AmplitudeEventEncoder(limits: limits).encode(event, into: &buffer, losses: &losses)
  }

  /// Nothing: every event carries its own context.
  package var commonContent: [UInt8] { [] }

  package func request(_ batch: BatchContent, attempt: AttemptInfo) -> UploadRequest {
    var head = JSONBuffer(capacity: 512)
    head.append("{\"api_key\":")
    head.append(quoted: key)
    head.append(",\"client_upload_time\":")
    head.append(quoted: Timestamp.rfc3339(milliseconds: attempt.sentAtMilliseconds))
    if let minIDLength {
      head.append(",\"options\":{\"min_id_length\":")
      head.append(Int64(minIDLength))
      head.append(UInt8(ascii: "}"))
    }
    var body = head.bytes + metadata(batch)
    body += Array(",\"events\":[".utf8)
    body.reserveCapacity(body.count + batch.events.count + 2)
    body += batch.events
    body += [UInt8(ascii: "]"), UInt8(ascii: "}")]
    var headers: [(name: String, value: String)] = [
      ("Content-Type", "application/json; charset=utf-8"), ("Accept", "application/json"),
    ]
    if endpoint.isCompressed, let compressed = gzip.compress(body) {
      body = compressed
      headers.append(("Content-Encoding", "gzip"))
    }
    return UploadRequest(
      url: endpoint.url,
      headers: headers,
      body: body,
      timeoutSeconds: timeoutSeconds
    )
  }

  /// The texts of events that an earlier client left broken, as a member of the body.
  ///
  /// They are what batches of `AmplitudeEventFile` have in common. Source: `amplitude.md` section 1.3.
  private func metadata(_ batch: BatchContent) -> [UInt8] {
    guard batch.commonContent.first == UInt8(ascii: "[") else { return [] }
    return Array(",\"request_metadata\":{\"sdk\":{\"malformed_events\":".utf8)
      + batch.commonContent + Array("}}".utf8)
  }

  package func verdict(
    _ response: UploadResponse,
    for batch: BatchContent,
    now: Double
  ) -> UploadVerdict {
    switch response {
    case .answered(400, _, let body):
      let refusal = AmplitudeRefusal(body)
      let devices = batch.eachEvent.map {
        refusal.silencedDevices.isEmpty
          ? nil : StoredEventHead.texts(["device_id"], of: $0)["device_id"]
      }
      return refusal.verdict(status: 400, devices: devices)
    case .answered(let status, let headers, let body):
      let message = Self.answers.tooLarge.contains(status) ? AmplitudeRefusal(body).message : ""
      return Self.answers.verdict(status: status, headers: headers, now: now, message: message)
    case .failed(let failure):
      return .failed(problem(failure), retryAfterSeconds: nil)
    }
  }

  /// A server that cannot be reached takes the client offline; a slow one, or an address that is
  /// none, is a failure like an answer of 500.
  ///
  /// Source: `amplitude.md` section 2.12, "Connection errors" and "Malformed `serverUrl`".
  private func problem(_ failure: TransportFailure) -> DeliveryProblem {
    let kind: DeliveryProblem.Kind =
      switch failure {
      case .timedOut: .timedOut
      case .cancelled: .unexpectedAnswer
      case .offline, .tls: .offline
      case .other: endpoint.isAddress ? .offline : .unexpectedAnswer
      }
    return DeliveryProblem(kind, failure)
  }

  package func identity(of event: ArraySlice<UInt8>) -> (id: String, name: String)? {
    StoredEventHead.read(event, id: "insert_id", name: "event_type")
  }
}
