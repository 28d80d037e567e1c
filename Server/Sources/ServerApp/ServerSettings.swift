public import HTTPServing
public import Ingest
public import IngestLog

/// What an operator decides about a server; every part has a default that suits one machine.
public struct ServerSettings: Sendable {
  /// Where everything is kept.
  public var data: DataFolder
  /// The address to listen on; only this machine by default.
  public var host = "127.0.0.1"
  /// The port; 4001 by default, 0 lets the system choose.
  public var port: UInt16 = 4001
  /// The folder with `libduckdb`, htmx and ECharts, see `ShareFolder`; nil where none was found.
  public var share: String?
  /// How people and apps reach the server, without a slash at the end; nil for the address it listens on.
  public var publicURL: String?
  /// The project that the first start makes.
  public var firstProject = "My app"
  /// The file that tells where addresses are, in MaxMind's format; nil where nobody shall know.
  public var places: String?
  /// Whether alerts may be told to addresses of this machine and of private networks.
  public var allowsPrivateWebhooks = false
  /// What is taken from anyone who connects.
  public var limits = HTTPServer.Limits()
  /// Who may read `/metrics` and the reasons in `/readyz`; this machine alone by default, nil for anyone.
  public var operators: [AddressRange]? = ["127.0.0.0/8", "::1"].compactMap(AddressRange.init)
  /// What is taken of events.
  public var ingest = IngestSettings()
  /// How the ingest log is kept.
  public var log = IngestLog.Settings()
  /// How long a graceful stop waits for the store to take what the log holds, in seconds.
  public var stopSeconds = 10.0

  /// The limits, with the proxy that a public address means.
  ///
  /// Without it every client would have the proxy's address, and ten wrong passwords of one would
  /// keep all others from signing in.
  var effectiveLimits: HTTPServer.Limits {
    var limits = limits
    if publicURL != nil, limits.trustedProxies.isEmpty {
      limits.trustedProxies = ["127.0.0.1", "::1"].compactMap(AddressRange.init)
    }
    return limits
  }

  /// What is taken of events, with the host that a public address means.
  var effectiveIngest: IngestSettings {
    var ingest = ingest
    ingest.publicHost =
      ingest.publicHost
      ?? publicURL.flatMap { url in
        url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).first.map(
          String.init
        )
      }
    return ingest
  }

  /// The defaults, for a data folder.
  public init(data: DataFolder) {
    self.data = data
  }
}
