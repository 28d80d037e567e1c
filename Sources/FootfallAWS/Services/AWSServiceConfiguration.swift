import FootfallSystem
public import Foundation

/// How a service's clients reach it.
///
/// Safety: a client reads it once, when it is made; whoever makes it sets its properties before.
public final class AWSServiceConfiguration: NSObject, @unchecked Sendable {
  /// The region.
  public let regionType: AWSRegionType
  /// Another address than the service's own; nil for that.
  public let endpoint: AWSEndpoint?
  /// Gives what requests are signed with; nil for the one of the configuration file.
  public let credentialsProvider: (any AWSCredentialsProvider)?
  /// How often a request is sent again at once after a failure that may pass; 3 unless set, 10 at most.
  public var maxRetryCount: UInt32 = 3
  /// The longest an exchange may take, in seconds; 30 unless set.
  public var timeoutIntervalForRequest: TimeInterval = 30

  /// The folder below which clients keep what they have not sent; nil, unless set, for the usual place of
  /// the app on the system.
  public var storageFolder: String?

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// A service's own address in a region.
  ///
  /// Never nil: the documented initialisers are declared so that they could be.
  public init!(region: AWSRegionType, credentialsProvider: (any AWSCredentialsProvider)?) {
    regionType = region
    endpoint = nil
    self.credentialsProvider = credentialsProvider
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Another address, such as a Footfall server's.
  ///
  /// Never nil: the documented initialisers are declared so that they could be.
  public init!(
    region: AWSRegionType,
    endpoint: AWSEndpoint?,
    credentialsProvider: (any AWSCredentialsProvider)?
  ) {
    regionType = region
    self.endpoint = endpoint
    self.credentialsProvider = credentialsProvider
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Another address, such as a Footfall server's; whether it is a local one makes no difference here.
  ///
  /// Never nil: the documented initialisers are declared so that they could be.
  public convenience init!(
    region: AWSRegionType,
    endpoint: AWSEndpoint?,
    credentialsProvider: (any AWSCredentialsProvider)?,
    localTestingEnabled: Bool
  ) {
    self.init(region: region, endpoint: endpoint, credentialsProvider: credentialsProvider)
  }
}

/// The configuration of clients that are given none.
public final class AWSServiceManager: NSObject, Sendable {
  private static let shared = AWSServiceManager()
  private let configuration = Lock<AWSServiceConfiguration?>(nil)

  /// The one of the app.
  public static func `default`() -> AWSServiceManager { shared }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The configuration of clients that are given none; nil, unless set, for the one of the
  /// configuration file.
  ///
  /// Any thread. Set it before the clients are made: they read it once.
  public var defaultServiceConfiguration: AWSServiceConfiguration! {
    get { configuration.withLock { $0 } }
    set { configuration.withLock { $0 = newValue } }
  }
}
