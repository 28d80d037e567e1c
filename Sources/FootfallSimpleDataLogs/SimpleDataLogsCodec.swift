package import FootfallCore
package import FootfallEngine
package import FootfallPlatform

/// SimpleDataLogs on the wire.
///
/// Source: `simpledatalogs.md` sections 2.3 and 3.4.
package struct SimpleDataLogsCodec: Sendable {
  /// Where events go unless the app says otherwise.
  package static let defaultEndpoint = "https://edge.simpledatalogs.com"

  /// Where requests go, the full address.
  package let url: String
  /// The project's ingest key.
  package var key: String
  /// What the client calls itself.
  package var userAgent: String
  /// How large events may be.
  package var limits = EventLimits.simpleDataLogs
  /// The longest an exchange may take, in seconds.
  ///
  /// Source: `simpledatalogs.md` section 3.4.
  package var timeoutSeconds = 30.0

  /// A codec for an endpoint, to which the path is added, and a key.
  package init(endpoint: String = defaultEndpoint, key: String, device: DeviceContext) {
    url = (endpoint.hasSuffix("/") ? String(endpoint.dropLast()) : endpoint) + "/v1/events"
    self.key = key
    userAgent = Self.userAgent(device)
  }

  /// What is wrong with the key, which is sent all the same; nil for nothing.
  ///
  /// Source: `simpledatalogs.md` section 1.3.
  var keyProblem: String? {
    let prefix = "sdl_pub_"
    guard !key.hasPrefix(prefix) else { return nil }
    return "The ingest key does not begin with \(prefix): a secret key must not be in an app. "
      + "Use the project's public key."
  }

  /// `SimpleDataLogs-Swift/<version> (<os> <version>)`.
  private static func userAgent(_ device: DeviceContext) -> String {
    let version = device.library.split(separator: "/").last ?? "0"
    return "SimpleDataLogs-Swift/\(version) (\(device.os ?? device.platform))"
  }

  /// What statuses mean: 202 alone is success.
  static let answers: AnswerRules = {
    var rules = AnswerRules()
    rules.delivered = 202...202
    return rules
  }()
}

extension SimpleDataLogsCodec: WireCodec {
  package func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    SimpleDataLogsEventEncoder(limits: limits).encode(event, into: &buffer, losses: &losses)
  }

  /// Nothing: all that is sent is in the events.
  package var commonContent: [UInt8] { [] }

  package func request(_ batch: BatchContent, attempt: AttemptInfo) -> UploadRequest {
    var body = Array("{\"events\":[".utf8)
    body.reserveCapacity(body.count + batch.events.count + 2)
    body += batch.events
    body += [UInt8(ascii: "]"), UInt8(ascii: "}")]
    return UploadRequest(
      url: url,
      headers: [
        ("Authorization", "Bearer \(key)"), ("Content-Type", "application/json"),
        ("User-Agent", userAgent),
      ],
      body: body,
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
      // A body that cannot be read changes nothing: the status alone says that the batch is taken.
      return NativeAnswer(body)?.verdict(status: 202, of: batch, identity: identity)
        ?? .delivered(status: 202)
    case .answered(let status, let headers, _):
      return Self.answers.verdict(status: status, headers: headers, now: now)
    case .failed(let failure): return UploadVerdict(failure)
    }
  }

  package func identity(of event: ArraySlice<UInt8>) -> (id: String, name: String)? {
    StoredEventHead.read(event, id: "event_id", name: "name")
  }
}
