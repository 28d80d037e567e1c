import FootfallAWS
import FootfallCore
import FootfallPlatform
import FootfallSystem
import Foundation

/// Sends a request, and again at once after a failure that may pass.
///
/// Waits 100 ms × 2ⁿ with full jitter, 20 s at most, and for what `Retry-After` says within that.
/// Source: `aws.md` section 3.7.
struct RecordSender: Sendable {
  let transport: any Transport
  let resends: Int
  let sleep: @Sendable (Double) async -> Void
  let clock: @Sendable () -> Date
  let random: Lock<RandomBytes>

  private static let firstSeconds = 0.1
  private static let mostSeconds = 20.0

  /// The answer to a request, or to the last time it was sent.
  func send(_ request: UploadRequest) async -> UploadResponse {
    var resent = 0
    while true {
      let response = await transport.send(request)
      guard resent < resends, let wait = wait(after: response, resent) else { return response }
      resent += 1
      await sleep(wait)
    }
  }

  /// How long to wait before sending again; nil for not at all.
  private func wait(after response: UploadResponse, _ resent: Int) -> Double? {
    let most = min(Self.mostSeconds, Self.firstSeconds * Double(1 << min(resent, 20)))
    switch response {
    case .answered(let status, let headers, _):
      let isThrottled = ServiceErrorName(response).map { StreamService.throttled.contains($0.text) }
      guard status == 429 || status >= 500 || isThrottled == true else { return nil }
      let now = clock().timeIntervalSince1970
      if let asked = headers["retry-after"].flatMap({ RetryAfter.seconds($0, now: now) }) {
        return asked <= Self.mostSeconds ? asked : nil
      }
    // A connection that broke may be made again; without a network it may not.
    case .failed(.other): break
    case .failed: return nil
    }
    return random.withLock { Double.random(in: 0...most, using: &$0) }
  }
}
