import FootfallSystem

/// What is captured without a call, in the words of earlier versions; `AutocaptureOptions` by now.
///
/// Any thread. A client reads it once, when it is made.
@available(*, deprecated, message: "Use AutocaptureOptions.")
public final class DefaultTrackingOptions: Sendable {
  private let options: Lock<AutocaptureOptions>
  private let follower = Lock<(@Sendable (AutocaptureOptions) -> Void)?>(nil)

  /// A choice of the three kinds there were; sessions alone unless told otherwise.
  public init(
    sessions: Bool = true,
    appLifecycles: Bool = false,
    screenViews: Bool = false
  ) {
    var options: AutocaptureOptions = []
    if sessions { options.insert(.sessions) }
    if appLifecycles { options.insert(.appLifecycles) }
    if screenViews { options.insert(.screenViews) }
    self.options = Lock(options)
  }

  convenience init(_ autocapture: AutocaptureOptions) {
    self.init(
      sessions: autocapture.contains(.sessions),
      appLifecycles: autocapture.contains(.appLifecycles),
      screenViews: autocapture.contains(.screenViews)
    )
  }

  /// All three.
  public static let ALL = DefaultTrackingOptions(
    sessions: true,
    appLifecycles: true,
    screenViews: true
  )
  /// None of them.
  public static let NONE = DefaultTrackingOptions(
    sessions: false,
    appLifecycles: false,
    screenViews: false
  )

  /// The same in today's words.
  var autocapture: AutocaptureOptions { options.withLock { $0 } }

  /// Whether starts and ends of sessions are captured.
  public var sessions: Bool {
    get { holds(.sessions) }
    set { set(.sessions, newValue) }
  }
  /// Whether installs, updates, openings of the app and leaving it are captured.
  public var appLifecycles: Bool {
    get { holds(.appLifecycles) }
    set { set(.appLifecycles, newValue) }
  }
  /// Whether screens that are shown are captured.
  public var screenViews: Bool {
    get { holds(.screenViews) }
    set { set(.screenViews, newValue) }
  }

  /// Tells someone of every change of a member.
  func follow(_ follower: @escaping @Sendable (AutocaptureOptions) -> Void) {
    self.follower.withLock { $0 = follower }
  }

  private func holds(_ option: AutocaptureOptions) -> Bool {
    options.withLock { $0.contains(option) }
  }

  private func set(_ option: AutocaptureOptions, _ isOn: Bool) {
    options.withLock { if isOn { $0.formUnion(option) } else { $0.subtract(option) } }
    follower.withLock { $0 }?(autocapture)
  }
}
