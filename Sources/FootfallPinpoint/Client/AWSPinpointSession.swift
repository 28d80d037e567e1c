import FootfallCore
public import Foundation

/// A visit of the user.
public final class AWSPinpointSession: NSObject, Sendable {
  /// Its id; `00000000-00000000` of one that has not started.
  public let sessionId: String
  /// When it started.
  public var startTime: Date { (isOfApp ? nil : Self.start(in: sessionId)) ?? time }
  /// When it ended; nil as long as it goes on.
  public let stopTime: Date?
  /// Whether the app made it, and not the client.
  let isOfApp: Bool
  /// When it started, unless its id says that.
  private let time: Date

  /// The id of a session that has not started.
  static let notStarted = "00000000-00000000"

  /// A session of the app's own.
  public init(sessionId: String, withStartTime startTime: Date, withStopTime stopTime: Date?) {
    self.sessionId = sessionId
    time = startTime
    self.stopTime = stopTime
    isOfApp = true
  }

  /// The client's session of an id, which names its start.
  init(_ id: SessionID?, now: Date) {
    if case .text(let text)? = id { sessionId = text } else { sessionId = Self.notStarted }
    time = now
    stopTime = nil
    isOfApp = false
  }

  /// The start that an id made by the client names: `…-yyyyMMdd-HHmmssSSS`, in GMT.
  ///
  /// Asking a calendar takes longer than everything else when an event is made, so it is done when someone
  /// wants to know.
  private static func start(in id: String) -> Date? {
    let parts = id.split(separator: "-").suffix(2)
    guard parts.count == 2, let day = parts.first, let time = parts.last, day.count == 8,
      time.count == 9, let date = Int(day), let clock = Int(time)
    else { return nil }
    var components = DateComponents()
    components.calendar = Calendar(identifier: .gregorian)
    components.timeZone = TimeZone(secondsFromGMT: 0)
    (components.year, components.month, components.day) = (
      date / 10_000, date / 100 % 100, date % 100
    )
    (components.hour, components.minute, components.second) = (
      clock / 10_000_000, clock / 100_000 % 100, clock / 1_000 % 100
    )
    return components.date?.addingTimeInterval(Double(clock % 1_000) / 1_000)
  }
}
