package import FootfallPlatform
import Foundation

/// Where a client's requests go and what they are signed with: what was said in the program, or else in
/// the configuration file, or else Amazon's own.
///
/// The file may have a section of ours, the one setting that points an unchanged app at a Footfall
/// server: `"Footfall": {"Endpoint": "http://127.0.0.1:4001", "AccessKey": "…", "SecretKey": "…"}`.
package struct ServicePlace: Sendable {
  /// Where the service is, and its region.
  package var endpoint: AWSEndpoint
  /// How often a request is sent again at once.
  package var resends: Int
  /// The longest an exchange may take, in seconds.
  package var timeoutSeconds: Double
  /// Gives what requests are signed with.
  package var credentials: CredentialsSource
  /// Where what was not sent is kept; nil for the usual place.
  package var storageFolder: String?

  /// The most that may be asked for.
  private static let mostResends: UInt32 = 10

  /// A place from what was said.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - configuration: What the client was given; nil for the app's usual one.
  ///   - info: The configuration file.
  ///   - section: The service's own section there; nil if it has none.
  package init(
    _ service: AWSServiceType,
    _ configuration: AWSServiceConfiguration?,
    _ info: AWSInfo,
    section: String?
  ) {
    let said = configuration ?? AWSServiceManager.default().defaultServiceConfiguration
    let own = ServicePlace.footfall(info)
    let region =
      said?.endpoint.map(\.regionName) ?? said?.regionType.name
      ?? section.flatMap { info.defaultServiceInfo($0)?.text("Region") } ?? AWSEndpoint.usualRegion
    let url = said?.endpoint?.URL ?? own?.text("Endpoint").flatMap { URL(string: $0) }
    endpoint = AWSEndpoint(regionName: region, service: service, url: url)
    resends = Int(min(said?.maxRetryCount ?? 3, Self.mostResends))
    storageFolder = said?.storageFolder
    timeoutSeconds = said?.timeoutIntervalForRequest ?? TransportLimits.timeoutSeconds
    credentials = CredentialsSource(
      said?.credentialsProvider ?? ServicePlace.provider(info)
        ?? AWSAnonymousCredentialsProvider()
    )
  }

  private static func footfall(_ info: AWSInfo) -> AWSServiceInfo? {
    (info.rootInfoDictionary["Footfall"] as? [String: Any]).map { AWSServiceInfo($0) }
  }

  /// A provider of the key in the file; nil if it has none.
  package static func provider(_ info: AWSInfo) -> (any AWSCredentialsProvider)? {
    guard let own = footfall(info), let key = own.text("AccessKey"),
      let secret = own.text("SecretKey")
    else { return nil }
    return AWSStaticCredentialsProvider(accessKey: key, secretKey: secret)
  }

  /// Something that signs whatever it sends, for this service.
  ///
  /// Waits for the app's provider by `environment`, and no longer than a request may take.
  package func transport(
    _ base: any Transport,
    in environment: Environment
  ) -> SigningTransport {
    SigningTransport(
      base,
      signer: RequestSigner(region: endpoint.regionName, service: endpoint.serviceType.signingName),
      now: environment.clocks.now,
      credentials: { [credentials, sleep = environment.sleep] limit in
        await credentials.current(limitSeconds: limit, sleep: sleep)
      },
      onRefused: { [credentials] in credentials.invalidate() }
    )
  }
}
