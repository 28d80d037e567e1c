/// What is captured without a call.
///
/// Sessions, and on platforms with UIKit app lifecycles, are. The other kinds are kept, and may be asked
/// for, but are not captured yet: a client that is asked for one says so once in its log.
public struct AutocaptureOptions: OptionSet, Sendable, Hashable {
  /// The kinds as bits.
  public let rawValue: Int

  /// Kinds from their bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Starts and ends of sessions, as `session_start` and `session_end`; the default.
  public static let sessions = AutocaptureOptions(rawValue: 1 << 0)
  /// Installs, updates, openings of the app and leaving it.
  public static let appLifecycles = AutocaptureOptions(rawValue: 1 << 1)
  /// Screens that are shown; not captured yet.
  public static let screenViews = AutocaptureOptions(rawValue: 1 << 2)
  /// Taps and other gestures; not captured yet.
  public static let elementInteractions = AutocaptureOptions(rawValue: 1 << 3)
  /// Network requests; not captured yet.
  public static let networkTracking = AutocaptureOptions(rawValue: 1 << 4)
  /// Clicks in anger and clicks without effect; not captured yet.
  public static let frustrationInteractions = AutocaptureOptions(rawValue: 1 << 5)

  /// All of them.
  public static let all: AutocaptureOptions = [
    .sessions, .appLifecycles, .screenViews, .elementInteractions, .networkTracking,
    .frustrationInteractions,
  ]

  /// Those that are asked for and not captured yet, by name.
  var notCapturedYet: [String] {
    let later: [(AutocaptureOptions, String)] = [
      (.screenViews, "screenViews"), (.elementInteractions, "elementInteractions"),
      (.networkTracking, "networkTracking"), (.frustrationInteractions, "frustrationInteractions"),
    ]
    return later.filter { contains($0.0) }.map(\.1)
  }
}
