public import Footfall
public import FootfallAWS
import FootfallPlatform
public import Foundation

/// What an `AWSPinpoint` is made with.
///
/// Set its properties before `AWSPinpoint(configuration:)`, which reads them once. Safety: it belongs to
/// whoever makes it until then, and is only read afterwards.
public final class AWSPinpointConfiguration: NSObject, @unchecked Sendable {
  /// The application's id; empty if the configuration file has none.
  public let appId: String
  /// What the app was launched with, for a push message that opened it.
  public let launchOptions: [AnyHashable: Any]?
  /// The most bytes of events kept; 5 MiB unless set.
  ///
  /// The oldest go when it is reached.
  public var maxStorageSize: UInt
  /// How long the app may be away before its session ends, in milliseconds; 5,000 unless set, and 0
  /// ends a session as soon as it is left.
  public var sessionTimeout: UInt
  /// Whether events are recorded; on unless set.
  public var enableEvents = true
  /// Whether the endpoint is kept up to date; on unless set.
  public var enableTargeting = true
  /// Whether sessions are recorded by themselves; on unless set.
  public var enableAutoSessionRecording = true
  /// Whether push tokens are those of a debug build, of the channel `APNS_SANDBOX`; off unless set.
  public var debug = false
  /// Whether the user wants no messages, whatever the system says; nil, unless set, to say nothing.
  ///
  /// Asked once, when the client is made; an answer the app gave in an endpoint profile wins.
  public var isApplicationLevelOptOut: (() -> Bool)?
  /// Called with the client before its first session starts; what is recorded there belongs to that.
  public var completionBlock: ((AWSPinpoint) -> Void)?
  /// Attributes of the app's own; they are kept here and not sent, as in the documented client.
  public var attributes: [AnyHashable: Any]?
  /// Has no effect: what is kept lies in files of the client's own.
  public var userDefaults: UserDefaults = .standard
  /// What is known of the app.
  public let environment = AWSPinpointEnvironment()
  /// How events are sent; nil, unless set, for the app's usual configuration or the configuration file.
  public var serviceConfiguration: AWSServiceConfiguration?
  /// How endpoints are sent; nil, unless set, as for events.
  public var targetingServiceConfiguration: AWSServiceConfiguration?
  /// Footfall servers that get every event too, each with a queue of its own; none unless set.
  ///
  /// For running an old service and a new server side by side.
  public var destinations: [FootfallClient.Destination] = []

  /// What in the configuration file is missing; nil if nothing is.
  let problem: String?
  /// The configuration file.
  let info: AWSInfo

  static let usualStorage: UInt = 5 * 1_024 * 1_024
  static let usualTimeout: UInt = 5_000

  /// A configuration for an application.
  public convenience init(appId: String, launchOptions: [AnyHashable: Any]?) {
    self.init(
      appId: appId,
      launchOptions: launchOptions,
      maxStorageSize: Self.usualStorage,
      sessionTimeout: Self.usualTimeout
    )
  }

  /// A configuration for an application.
  ///
  /// - Parameters:
  ///   - appId: The application's id.
  ///   - launchOptions: What the app was launched with; nil for nothing.
  ///   - maxStorageSize: The most bytes of events kept.
  ///   - sessionTimeout: How long the app may be away before its session ends, in milliseconds.
  public convenience init(
    appId: String,
    launchOptions: [AnyHashable: Any]?,
    maxStorageSize: UInt,
    sessionTimeout: UInt
  ) {
    self.init(appId, launchOptions, maxStorageSize, sessionTimeout, problem: nil, .default())
  }

  private init(
    _ appId: String,
    _ launchOptions: [AnyHashable: Any]?,
    _ maxStorageSize: UInt,
    _ sessionTimeout: UInt,
    problem: String?,
    _ info: AWSInfo
  ) {
    self.appId = appId
    self.launchOptions = launchOptions
    self.maxStorageSize = maxStorageSize
    self.sessionTimeout = sessionTimeout
    self.problem = problem
    self.info = info
  }

  /// The configuration of the file `awsconfiguration.json`.
  ///
  /// Without `PinpointAnalytics.Default.AppId` there the configuration has no application: that is
  /// logged, and is the error of every later task.
  ///
  /// - Parameter launchOptions: What the app was launched with; nil for nothing.
  /// - Returns: The configuration.
  public static func defaultPinpointConfiguration(
    launchOptions: [AnyHashable: Any]?
  ) -> AWSPinpointConfiguration {
    fromFile(.default(), launchOptions: launchOptions)
  }

  /// The configuration of a file's contents.
  package static func fromFile(
    _ info: AWSInfo,
    launchOptions: [AnyHashable: Any]? = nil
  ) -> AWSPinpointConfiguration {
    let appID = info.defaultServiceInfo(analyticsSection)?.text("AppId")
    var problem: String?
    if appID == nil {
      problem =
        "\(analyticsSection).Default.AppId is missing in \(AWSInfo.fileName)"
        + (info.problem.map { ": \($0)" } ?? "") + "; nothing is recorded."
    }
    return AWSPinpointConfiguration(
      appID ?? "",
      launchOptions,
      usualStorage,
      usualTimeout,
      problem: problem,
      info
    )
  }

  /// The sections of the configuration file.
  static let analyticsSection = "PinpointAnalytics"
  static let targetingSection = "PinpointTargeting"
}

/// What is known of the app.
public final class AWSPinpointEnvironment: NSObject, Sendable {
  /// The app's version; `Unknown` without one in the bundle.
  public let appVersion = read("CFBundleShortVersionString")
  /// The app's build; `Unknown` without one in the bundle.
  public let appBuild = read("CFBundleVersion")
  /// The bundle's id; `Unknown` without a bundle.
  public let appPackageName = read("CFBundleIdentifier")
  /// The app's name; `Unknown` without a bundle.
  public let appName = read("CFBundleName")

  private static func read(_ key: String) -> String {
    let text = Bundle.main.object(forInfoDictionaryKey: key) as? String ?? ""
    return text.isEmpty ? "Unknown" : text
  }
}
