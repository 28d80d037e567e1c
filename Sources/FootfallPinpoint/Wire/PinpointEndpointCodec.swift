import FootfallAWS
package import FootfallCore
package import FootfallEngine
package import FootfallPlatform

/// Amazon Pinpoint's UpdateEndpoint on the wire, unsigned.
///
/// What is stored is the endpoint as it was when the update was asked for; of several that wait only
/// the newest is sent. Source: `aws.md` sections 1.3 and 3.4.
package struct PinpointEndpointCodec: Sendable {
  /// The event that asks for an update.
  package static let eventName: EventName = "$endpoint"

  private let app: PinpointCodec
  /// Told, on the engine's thread, up to which revision the service has taken the endpoint.
  private let onTaken: @Sendable (Int) -> Void
  /// Told, on the engine's thread, up to which revision it has not taken it this time, and why.
  private let onFailed: @Sendable (Int, String) -> Void
  /// Told, on the engine's thread, which event carries the endpoint as it is at a revision.
  private let onCarried: @Sendable (Int, String) -> Void

  /// A codec for the app of another one, whose endpoint it sends.
  package init(
    _ app: PinpointCodec,
    onTaken: @escaping @Sendable (Int) -> Void,
    onFailed: @escaping @Sendable (Int, String) -> Void = { _, _ in },
    onCarried: @escaping @Sendable (Int, String) -> Void = { _, _ in }
  ) {
    self.app = app
    self.onTaken = onTaken
    self.onFailed = onFailed
    self.onCarried = onCarried
  }
}

extension PinpointEndpointCodec: WireCodec {
  /// What asks for an update, and nothing else.
  package func takes(_ event: Event) -> Bool { event.name == Self.eventName }

  package func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    guard event.deviceID != nil else { return .invalid }
    let endpoint = app.endpoint()
    onCarried(endpoint.revision, event.id)
    buffer.append("{\"id\":")
    buffer.append(quoted: event.id)
    buffer.append(",\"name\":")
    buffer.append(quoted: event.name.text)
    buffer.append(",\"revision\":")
    buffer.append(Int64(endpoint.revision))
    buffer.append(",\"endpoint\":")
    endpoint.write(
      device: event.context,
      effectiveMilliseconds: event.milliseconds,
      isUpdate: true,
      into: &buffer
    )
    buffer.append(UInt8(ascii: "}"))
    return nil
  }

  /// Nothing: all of it is in the item.
  package var commonContent: [UInt8] { [] }

  /// The endpoint's id, under which it stands.
  package func commonContent(of event: Event) -> [UInt8]? { app.commonContent(of: event) }

  /// Only the newest is sent.
  package func place(of event: Event) -> String? { event.deviceID }

  package func request(_ batch: BatchContent, attempt: AttemptInfo) -> UploadRequest {
    let id = String(decoding: batch.commonContent, as: UTF8.self)
    return UploadRequest(
      method: .put,
      url: "\(app.appURL)/endpoints/\(RequestSigner.encoded(id, keepingSlashes: false))",
      headers: [("Content-Type", "application/json")],
      body: Self.parts(of: batch.events).map { Array($0.endpoint) } ?? Array("{}".utf8),
      timeoutSeconds: app.timeoutSeconds
    )
  }

  package func verdict(
    _ response: UploadResponse,
    for batch: BatchContent,
    now: Double
  ) -> UploadVerdict {
    let revision = Self.parts(of: batch.events)?.revision
    if case .answered(202, _, _) = response {
      revision.map(onTaken)
    } else if let revision {
      onFailed(
        revision,
        ServiceErrorName(response).map { "\($0.text) \($0.message)" } ?? "\(response)"
      )
    }
    switch response {
    case .answered(let status, let headers, _):
      let name = headers["x-amzn-errortype"].map { String($0.prefix { $0 != ":" }) } ?? ""
      return PinpointCodec.answers.verdict(
        status: status,
        headers: headers,
        now: now,
        message: name
      )
    case .failed(let failure): return UploadVerdict(failure)
    }
  }

  package func identity(of event: ArraySlice<UInt8>) -> (id: String, name: String)? {
    StoredEventHead.read(event)
  }

  /// The revision and the endpoint's object of a stored item.
  private static func parts(
    of stored: ArraySlice<UInt8>
  ) -> (revision: Int, endpoint: ArraySlice<UInt8>)? {
    guard let revision = PinpointEventEncoder.find(",\"revision\":", in: stored),
      let endpoint = PinpointEventEncoder.find(",\"endpoint\":", in: stored),
      let number = Int(
        String(decoding: stored[revision.upperBound..<endpoint.lowerBound], as: UTF8.self)
      )
    else { return nil }
    return (number, stored[endpoint.upperBound...].dropLast())
  }
}
