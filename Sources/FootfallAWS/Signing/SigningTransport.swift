import FootfallCore
package import FootfallPlatform
import FootfallSystem
package import Foundation

/// Signs every request on its way to another transport.
///
/// As long as there are no credentials nothing is sent, and what was to be sent waits as it does
/// offline. A service that finds the device's clock wrong is asked again once, by its own clock. Source:
/// `aws.md` sections 1.9, 1.10 and 3.2, scenario A15.
package struct SigningTransport: Transport {
  /// What sends the signed requests.
  private let base: any Transport
  private let signer: RequestSigner
  private let now: @Sendable () -> Date
  private let credentials: @Sendable (_ limitSeconds: Double) async -> Credentials?
  private let onRefused: @Sendable () -> Void
  /// By how many seconds the service's clock is ahead of this one, as far as that mattered.
  private let aheadSeconds = Lock(0.0)

  /// What is told where there are no credentials.
  package static let noCredentials = "there are no credentials"

  /// A transport that signs with what `credentials` gives within some seconds; nil before someone
  /// signed in.
  ///
  /// `onRefused` is told that the service found a signature wrong or too old.
  package init(
    _ base: any Transport,
    signer: RequestSigner,
    now: @escaping @Sendable () -> Date,
    credentials: @escaping @Sendable (_ limitSeconds: Double) async -> Credentials?,
    onRefused: @escaping @Sendable () -> Void = {}
  ) {
    self.base = base
    self.signer = signer
    self.now = now
    self.credentials = credentials
    self.onRefused = onRefused
  }

  /// Signs a request and sends it.
  package func send(_ request: UploadRequest) async -> UploadResponse {
    guard let first = await sign(request) else {
      return .failed(Task.isCancelled ? .cancelled : .offline(Self.noCredentials))
    }
    let response = await base.send(first)
    guard let name = ServiceErrorName(response), Self.clockErrors.contains(name.text) else {
      return response
    }
    onRefused()
    guard correctClock(by: response), let second = await sign(request) else { return response }
    return await base.send(second)
  }

  private func sign(_ request: UploadRequest) async -> UploadRequest? {
    guard let credentials = await credentials(request.timeoutSeconds) else { return nil }
    let time = Timestamp.milliseconds(of: now() + aheadSeconds.withLock { $0 })
    return signer.sign(request, with: credentials, atMilliseconds: time)
  }

  /// Answers that may come of a wrong clock.
  ///
  /// Source: `aws.md` section 1.9.
  private static let clockErrors: Set<String> = [
    "RequestTimeTooSkewed", "InvalidSignatureException", "RequestExpired", "AuthFailure",
  ]
  /// Clocks that are nearer to each other than this have nothing to do with a refusal, in seconds.
  private static let toleratedSeconds = 60.0

  /// Takes over the clock of an answer; false if that is this one, or cannot be told.
  private func correctClock(by response: UploadResponse) -> Bool {
    guard case .answered(_, let headers, _) = response,
      let date = headers["date"].flatMap({ RetryAfter.seconds($0, now: 0) })
    else { return false }
    let ahead = date - now().timeIntervalSince1970
    return aheadSeconds.withLock { known in
      guard abs(ahead - known) > Self.toleratedSeconds else { return false }
      known = ahead
      return true
    }
  }

  /// Stops every request on its way.
  package func cancelAll() { base.cancelAll() }

  /// Ends the other transport for good.
  package func shutdown() { base.shutdown() }
}
