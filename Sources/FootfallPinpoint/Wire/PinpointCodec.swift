package import FootfallCore
package import FootfallEngine
package import FootfallPlatform

/// Amazon Pinpoint's PutEvents on the wire, unsigned: `SigningTransport` signs what is sent.
///
/// Source: `aws.md` sections 1.2, 1.4, 1.5, 3.1 and 3.2.
package struct PinpointCodec: Sendable {
  /// The app's address, below which everything of it is.
  package let appURL: String
  /// Where requests go, the full address.
  package var url: String { appURL + "/events" }
  /// The app's id.
  package let appID: String
  /// The endpoint as it is when a request is made, so that an old batch does not bring back what has
  /// changed since.
  package var endpoint: @Sendable () -> PinpointEndpoint = { PinpointEndpoint() }
  /// What is known about the device, for the endpoint.
  package var device: EventContext
  /// The app's bundle id.
  package var packageName: String?
  /// The app's name.
  package var title: String?
  /// How large events may be.
  package var limits = EventLimits.pinpoint
  /// The longest an exchange may take, in seconds.
  package var timeoutSeconds = TransportLimits.timeoutSeconds

  /// A codec for an app of a region; `baseURL` is the service's own unless told otherwise.
  package init(
    appID: String,
    region: String = "us-east-1",
    baseURL: String? = nil,
    device: EventContext
  ) {
    self.appID = appID
    let base = baseURL ?? "https://pinpoint.\(region).amazonaws.com"
    appURL = (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/v1/apps/\(appID)"
    self.device = device
  }

  /// What statuses mean, but for 202, whose body decides; one that refuses the signature or the app
  /// keeps everything.
  static let answers: AnswerRules = {
    var rules = AnswerRules()
    rules.delivered = 202...202
    rules.keyRefused = []
    rules.malformed = [400]
    rules.unreadable = []
    return rules
  }()
}

extension PinpointCodec: WireCodec {
  package func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    PinpointEventEncoder(codec: self).encode(event, into: &buffer, losses: &losses)
  }

  /// All but what only tells that the endpoint is to be sent.
  package func takes(_ event: Event) -> Bool { event.name != PinpointEndpointCodec.eventName }

  /// Nothing: the endpoint is put in when a request is made.
  package var commonContent: [UInt8] { [] }

  /// The endpoint's id, under which a batch stands.
  package func commonContent(of event: Event) -> [UInt8]? { event.deviceID.map { Array($0.utf8) } }

  package func request(_ batch: BatchContent, attempt: AttemptInfo) -> UploadRequest {
    var body = JSONBuffer(capacity: batch.events.count + 1_024)
    body.append("{\"BatchItem\":{")
    body.append(quoted: String(decoding: batch.commonContent, as: UTF8.self))
    body.append(":{\"Endpoint\":")
    endpoint().write(
      device: device,
      effectiveMilliseconds: attempt.sentAtMilliseconds,
      into: &body
    )
    body.append(",\"Events\":{")
    for (place, stored) in batch.eachEvent.enumerated() {
      guard let (id, event) = PinpointEventEncoder.parts(of: stored) else { continue }
      if place > 0 { body.append(UInt8(ascii: ",")) }
      for byte in id { body.append(byte) }
      body.append(UInt8(ascii: ":"))
      for byte in event { body.append(byte) }
    }
    body.append("}}}}")
    return UploadRequest(
      url: url,
      headers: [("Content-Type", "application/json")],
      body: body.bytes,
      timeoutSeconds: timeoutSeconds
    )
  }

  package func verdict(
    _ response: UploadResponse,
    for batch: BatchContent,
    now: Double
  ) -> UploadVerdict {
    switch response {
    case .answered(202, _, let body):
      let ids = batch.eachEvent.map { identity(of: $0)?.id }
      let endpoint = String(decoding: batch.commonContent, as: UTF8.self)
      return PinpointAnswer(body, endpoint: endpoint)?.verdict(ids)
        ?? .unexplained(status: 202, message: "")
    case .answered(let status, let headers, _):
      let name = headers["x-amzn-errortype"].map { String($0.prefix { $0 != ":" }) } ?? ""
      return Self.answers.verdict(status: status, headers: headers, now: now, message: name)
    case .failed(let failure): return UploadVerdict(failure)
    }
  }

  package func identity(of event: ArraySlice<UInt8>) -> (id: String, name: String)? {
    StoredEventHead.read(event)
  }
}
