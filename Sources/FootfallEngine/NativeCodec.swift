package import FootfallCore
package import FootfallPlatform
import Foundation

/// Footfall v1 on the wire: events to bytes, sealed events to a request, a response to a verdict.
package struct NativeCodec: Sendable {
  /// Where events go, the full address.
  package var url: String
  /// The project's ingest key.
  package var key: String
  /// What is said about the app and the device once for all events of a batch.
  package let common: EventContext
  /// The same as it is sealed with each batch and sent: a JSON object.
  package let commonContent: [UInt8]
  /// Compresses bodies.
  package var gzip: Gzip
  /// How large events may be.
  package var limits = EventLimits() {
    didSet { encoder = EventEncoder(limits: limits, common: common) }
  }
  /// What each status means.
  package var rules = AnswerRules()
  /// The longest an exchange may take, in seconds.
  package var timeoutSeconds: Double = TransportLimits.timeoutSeconds
  private var encoder: EventEncoder

  /// A codec for one address and key, whose events share a context.
  ///
  /// Events come with their whole context; what differs from `common` is written with each.
  package init(url: String, key: String, common: EventContext = EventContext(), gzip: Gzip) {
    self.url = url
    self.key = key
    self.common = common
    self.gzip = gzip
    commonContent = Self.object(of: common)
    encoder = EventEncoder(common: common)
  }

  /// A codec for one address and key, whose events come from one device.
  package init(url: String, key: String, device: DeviceContext, gzip: Gzip) {
    self.init(url: url, key: key, common: device.eventContext, gzip: gzip)
  }

  /// Bodies below this gain nothing from compression, in bytes.
  private static let smallestCompressed = 256
}

extension NativeCodec: WireCodec {
  package func sharing(_ context: EventContext) -> any WireCodec {
    var codec = NativeCodec(url: url, key: key, common: context, gzip: gzip)
    codec.limits = limits
    codec.rules = rules
    codec.timeoutSeconds = timeoutSeconds
    return codec
  }

  /// The host in the address.
  package var host: String? { URLComponents(string: url)?.host }

  package func encode(
    _ event: Event,
    into buffer: inout JSONBuffer,
    losses: inout DropCounts
  ) -> DropReason? {
    encoder.encode(event, into: &buffer, losses: &losses)
  }

  /// The request for sealed events.
  ///
  /// The events' bytes and what they have in common are taken as they are; the time of the attempt
  /// and the counts of losses are made anew each time and so are never sealed.
  package func request(_ batch: BatchContent, attempt: AttemptInfo) -> UploadRequest {
    var head = JSONBuffer(capacity: 1_024)
    head.append("{\"client\":")
    var body = head.bytes + client(batch.commonContent, losses: attempt.losses)
    body.reserveCapacity(body.count + batch.events.count + 16)
    body += Array(",\"events\":[".utf8)
    body += batch.events
    body += [UInt8(ascii: "]"), UInt8(ascii: "}")]
    var headers: [(name: String, value: String)] = [
      ("Authorization", "Bearer \(key)"), ("Content-Type", "application/json"),
      ("Footfall-Sent-At", Timestamp.rfc3339(milliseconds: attempt.sentAtMilliseconds)),
      ("User-Agent", userAgent),
    ]
    if body.count >= Self.smallestCompressed, let compressed = gzip.compress(body) {
      body = compressed
      headers.append(("Content-Encoding", "gzip"))
    }
    return UploadRequest(url: url, headers: headers, body: body, timeoutSeconds: timeoutSeconds)
  }

  private var userAgent: String {
    guard case .string(let library) = common[.library] else { return DeviceContext.libraryVersion }
    return library
  }

  package func verdict(
    _ response: UploadResponse,
    for batch: BatchContent,
    now: Double
  ) -> UploadVerdict {
    switch response {
    case .answered(let status, let headers, let body):
      let verdict = rules.verdict(status: status, headers: headers, now: now)
      // Without a body there is nothing that could refuse.
      guard case .delivered = verdict, !body.isEmpty else { return verdict }
      guard !response.isCut, let answer = NativeAnswer(body) else {
        return .unexplained(status: status, message: "")
      }
      return answer.verdict(status: status, of: batch, identity: identity)
    case .failed(let failure): return UploadVerdict(failure)
    }
  }

  package func identity(of event: ArraySlice<UInt8>) -> (id: String, name: String)? {
    StoredEventHead.read(event)
  }
}
