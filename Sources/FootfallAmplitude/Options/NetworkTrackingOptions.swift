/// Which network requests are captured, and what of them; kept, but not captured yet.
///
/// The last rule whose hosts, URLs and methods match decides, once `ignoreHosts` was looked at.
public struct NetworkTrackingOptions: Sendable, Hashable {
  /// The rules; the last one that matches counts.
  public var captureRules: [CaptureRule]
  /// Hosts whose requests are never captured; `*` stands for any characters.
  public var ignoreHosts: [String]
  /// Whether requests to Amplitude's own hosts are left out.
  public var ignoreAmplitudeRequests: Bool

  /// Options from their parts.
  ///
  /// - Parameters:
  ///   - captureRules: The rules.
  ///   - ignoreHosts: Hosts that are left out; none unless given.
  ///   - ignoreAmplitudeRequests: Whether Amplitude's own are; true unless given.
  public init(
    captureRules: [CaptureRule],
    ignoreHosts: [String] = [],
    ignoreAmplitudeRequests: Bool = true
  ) {
    self.captureRules = captureRules
    self.ignoreHosts = ignoreHosts
    self.ignoreAmplitudeRequests = ignoreAmplitudeRequests
  }

  /// Requests to every host but Amplitude's that end with 500 to 599.
  public static let `default` = NetworkTrackingOptions(captureRules: [CaptureRule(hosts: ["*"])])

  /// Which requests are meant, and what of them is captured.
  public struct CaptureRule: Sendable, Hashable {
    /// The hosts, with `*` for any characters; not looked at where there are `urls`.
    public var hosts: [String]
    /// The addresses; empty for a rule by hosts.
    public var urls: [URLPattern]
    /// The methods, such as `POST`; `*` for all.
    public var methods: [String]
    /// The statuses, such as `0,400-499`; 0 is a request that failed without an answer.
    public var statusCodeRange: String
    /// Which header fields of the request are captured; nil for none.
    public var requestHeaders: CaptureHeader?
    /// Which header fields of the answer are captured; nil for none.
    public var responseHeaders: CaptureHeader?
    /// What of the request's JSON body is captured; nil for nothing.
    public var requestBody: CaptureBody?
    /// What of the answer's JSON body is captured; nil for nothing.
    public var responseBody: CaptureBody?

    /// A rule by hosts.
    public init(hosts: [String], statusCodeRange: String = "500-599") {
      self.hosts = hosts
      self.statusCodeRange = statusCodeRange
      urls = []
      methods = ["*"]
    }

    /// A rule by addresses; every method, 500 to 599, and no headers or bodies unless given.
    public init(
      urls: [URLPattern],
      methods: [String] = ["*"],
      statusCodeRange: String = "500-599",
      requestHeaders: CaptureHeader? = nil,
      responseHeaders: CaptureHeader? = nil,
      requestBody: CaptureBody? = nil,
      responseBody: CaptureBody? = nil
    ) {
      hosts = []
      self.urls = urls
      self.methods = methods
      self.statusCodeRange = statusCodeRange
      self.requestHeaders = requestHeaders
      self.responseHeaders = responseHeaders
      self.requestBody = requestBody
      self.responseBody = responseBody
    }
  }

  /// An address, or many that look alike.
  public enum URLPattern: Sendable, Hashable {
    /// Exactly this address, its query included.
    case exact(String)
    /// Addresses in which this regular expression is found.
    case regex(String)
  }

  /// Which header fields are captured.
  public struct CaptureHeader: Sendable, Hashable {
    /// Names of fields, in upper or lower case.
    public var allowlist: [String]
    /// Whether those known to tell nothing of a person are captured besides.
    public var captureSafeHeaders: Bool

    /// A choice; of safe fields unless told otherwise.
    public init(allowlist: [String] = [], captureSafeHeaders: Bool = true) {
      self.allowlist = allowlist
      self.captureSafeHeaders = captureSafeHeaders
    }
  }

  /// What of a JSON body is captured.
  public struct CaptureBody: Sendable, Hashable {
    /// Paths such as `user/*`; `*` is one level, `**` any number.
    public var allowlist: [String]
    /// Paths that are left out of those.
    public var excludelist: [String]

    /// A choice; nothing is left out unless told otherwise.
    public init(allowlist: [String], excludelist: [String] = []) {
      self.allowlist = allowlist
      self.excludelist = excludelist
    }

    /// A choice in the words of earlier versions.
    @available(*, deprecated, renamed: "init(allowlist:excludelist:)")
    public init(allowlist: [String], blocklist: [String]) {
      self.init(allowlist: allowlist, excludelist: blocklist)
    }
  }
}
