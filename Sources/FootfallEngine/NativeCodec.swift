package import FootfallCore
package import FootfallPlatform
import Foundation

/// Footfall v1 on the wire: sealed events to a request, a response to a verdict.
package struct NativeCodec: Sendable {
  /// Where events go, the full address.
  package var url: String
  /// The project's ingest key.
  package var key: String
  /// What is said about the app and the device with each request.
  package var device: DeviceContext
  /// Compresses bodies.
  package var gzip: Gzip
  /// How large events may be.
  package var limits = EventLimits()
  /// What each status means.
  package var rules = AnswerRules()
  /// The longest an exchange may take, in seconds.
  package var timeoutSeconds: Double = TransportLimits.timeoutSeconds

  /// A codec for one address and key.
  package init(url: String, key: String, device: DeviceContext, gzip: Gzip) {
    self.url = url
    self.key = key
    self.device = device
    self.gzip = gzip
  }

  /// Bodies below this gain nothing from compression, in bytes.
  private static let smallestCompressed = 256

  /// The request for sealed events.
  ///
  /// The events' bytes are taken as they are; the time of the attempt and the counts of losses are
  /// made anew each time and so are never sealed.
  package func request(
    events: ArraySlice<UInt8>,
    losses: DropCounts,
    sentAtMilliseconds: Int64
  ) -> UploadRequest {
    var head = JSONBuffer(capacity: 1_024)
    head.append("{\"client\":")
    write(losses: losses, into: &head)
    head.append(",\"events\":[")
    var body = head.bytes
    body.reserveCapacity(body.count + events.count + 2)
    body += events
    body += [UInt8(ascii: "]"), UInt8(ascii: "}")]
    var headers: [(name: String, value: String)] = [
      ("Authorization", "Bearer \(key)"), ("Content-Type", "application/json"),
      ("Footfall-Sent-At", Timestamp.rfc3339(milliseconds: sentAtMilliseconds)),
      ("User-Agent", device.library),
    ]
    if body.count >= Self.smallestCompressed, let compressed = gzip.compress(body) {
      body = compressed
      headers.append(("Content-Encoding", "gzip"))
    }
    return UploadRequest(url: url, headers: headers, body: body, timeoutSeconds: timeoutSeconds)
  }

  private func write(losses: DropCounts, into buffer: inout JSONBuffer) {
    let fields: [(String, String?)] = [
      ("library", device.library), ("platform", device.platform), ("os", device.os),
      ("model", device.model), ("app", device.app), ("build", device.build),
      ("locale", device.locale),
    ]
    buffer.append(UInt8(ascii: "{"))
    var isFirst = true
    for case (let name, let value?) in fields {
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      isFirst = false
      buffer.append(quoted: name)
      buffer.append(UInt8(ascii: ":"))
      buffer.append(quoted: value)
    }
    if !losses.isEmpty {
      buffer.append(",\"dropped\":{")
      let sorted = losses.byReason.sorted { $0.key.rawValue < $1.key.rawValue }
      for (index, loss) in sorted.enumerated() {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        buffer.append(quoted: loss.key.rawValue)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(Int64(loss.value))
      }
      buffer.append(UInt8(ascii: "}"))
    }
    buffer.append(UInt8(ascii: "}"))
  }

  /// What a response means; `now` is in seconds since 1970.
  package func verdict(_ response: UploadResponse, now: Double) -> UploadVerdict {
    switch response {
    case .answered(let status, let headers, _):
      let rest = headers["retry-after"].flatMap { RetryAfter.seconds($0, now: now) }
      return rules.verdict(status: status, retryAfterSeconds: rest)
    case .failed(let failure):
      let kind: DeliveryProblem.Kind =
        switch failure {
        case .timedOut: .timedOut
        case .offline, .cancelled, .tls, .other: .offline
        }
      return .failed(
        DeliveryProblem(kind, "Sending failed: \(failure)."),
        retryAfterSeconds: nil
      )
    }
  }

  /// The events a positive answer refuses, counted by the server's reason.
  ///
  /// An answer that cannot be read refuses nothing: its status said the batch is stored.
  package func rejections(_ response: UploadResponse) -> [String: Int] {
    guard case .answered(_, _, let body) = response, Self.mentionsRejections(body) else {
      return [:]
    }
    do {
      let answer = try JSONDecoder().decode(Answer.self, from: Data(body))
      return answer.rejected.reduce(into: [:]) { $0[$1.reason ?? "unknown", default: 0] += 1 }
    } catch {
      return [:]
    }
  }

  /// Most answers refuse nothing; those need no JSON reader.
  private static func mentionsRejections(_ body: [UInt8]) -> Bool {
    let empty = Array("\"rejected\":[]".utf8)
    guard body.count >= empty.count else { return false }
    return !(0...body.count - empty.count).contains { body[$0...].starts(with: empty) }
  }

  private struct Answer: Decodable {
    struct Rejection: Decodable { let reason: String? }
    let rejected: [Rejection]
  }
}
