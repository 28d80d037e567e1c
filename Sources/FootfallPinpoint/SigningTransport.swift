import FootfallCore
package import FootfallPlatform
package import Foundation

/// Signs every request on its way to another transport.
///
/// As long as there are no credentials nothing is sent, and events wait as they do offline. Source:
/// `aws.md` sections 1.10 and 3.2, scenario A15.
package struct SigningTransport: Transport {
  /// What sends the signed requests.
  private let base: any Transport
  private let signer: RequestSigner
  private let now: @Sendable () -> Date
  private let credentials: @Sendable () async -> Credentials?

  /// A transport that signs with what `credentials` gives; nil before someone signed in.
  package init(
    _ base: any Transport,
    signer: RequestSigner,
    now: @escaping @Sendable () -> Date,
    credentials: @escaping @Sendable () async -> Credentials?
  ) {
    self.base = base
    self.signer = signer
    self.now = now
    self.credentials = credentials
  }

  /// Signs a request and sends it.
  package func send(_ request: UploadRequest) async -> UploadResponse {
    guard let credentials = await credentials() else {
      return .failed(.offline("there are no credentials"))
    }
    let time = Timestamp.milliseconds(of: now())
    return await base.send(signer.sign(request, with: credentials, atMilliseconds: time))
  }

  /// Stops every request on its way.
  package func cancelAll() { base.cancelAll() }

  /// Ends the other transport for good.
  package func shutdown() { base.shutdown() }
}
