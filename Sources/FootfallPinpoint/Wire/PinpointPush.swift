package import FootfallCore

/// What a push message of a campaign or journey says about itself.
///
/// Source: `aws.md` section 3.5.
package struct PinpointPush: Sendable, Hashable {
  /// What happened to the message.
  package enum Occasion: String, Sendable, Hashable {
    /// The app was opened by it.
    case opened = "opened_notification"
    /// It came while the app was in front.
    case receivedInFront = "received_foreground"
    /// It came while the app was not.
    case receivedInBackground = "received_background"
  }

  private let kind: String
  private let attributes: Properties

  /// Reads a message's payload; nil if it is of no campaign or journey.
  package init?(_ payload: [AnyHashable: Any]) {
    let data = payload["data"] as? [String: Any]
    let pinpoint = data?["pinpoint"] as? [String: Any]
    for kind in ["campaign", "journey"] {
      guard let values = pinpoint?[kind] as? [String: Any] else { continue }
      self.kind = kind
      // Whatever it is there, it is text here.
      attributes = Properties(values.mapValues { .string("\($0)") })
      return
    }
    return nil
  }

  /// The event that says so; `applicationState` is where the app was, such as `active`.
  package func event(_ occasion: Occasion, applicationState: String) -> EventContent {
    var values = PinpointValues()
    values.attributes = attributes
    values.attributes["applicationState"] = .string(applicationState)
    return EventContent(EventName("_\(kind).\(occasion.rawValue)"), values.properties)
  }
}
