/// An element of the interface was used: `[Amplitude] Element Interacted`.
///
/// For apps that tell it themselves; the library does not capture it yet.
public final class ElementInteractionEvent: BaseEvent {
  /// An element and what was done with it; what is nil is left out.
  public convenience init(
    screenName: String? = nil,
    accessibilityLabel: String? = nil,
    accessibilityIdentifier: String? = nil,
    action: String,
    targetViewClass: String,
    targetText: String? = nil,
    hierarchy: String,
    actionMethod: String? = nil,
    gestureRecognizer: String? = nil
  ) {
    self.init(
      eventType: Constants.AMP_ELEMENT_INTERACTED_EVENT,
      eventProperties: captured([
        ("Action", action), ("Target View Class", targetViewClass), ("Target Text", targetText),
        ("Target Accessibility Label", accessibilityLabel),
        ("Target Accessibility Identifier", accessibilityIdentifier),
        ("Action Method", actionMethod), ("Gesture Recognizer", gestureRecognizer),
        ("Hierarchy", hierarchy), ("Screen Name", screenName),
      ])
    )
  }
}

/// A network request ended: `[Amplitude] Network Request`.
///
/// For apps that tell it themselves; the library does not capture it yet.
public final class NetworkRequestEvent: BaseEvent {
  /// A request and how it ended; times in milliseconds since 1970, sizes in bytes; what is nil is left
  /// out.
  public convenience init(
    url: String,
    urlQuery: String? = nil,
    urlFragment: String? = nil,
    method: String,
    statusCode: Int? = nil,
    errorCode: Int? = nil,
    errorMessage: String? = nil,
    startTime: Int64,
    completionTime: Int64,
    requestBodySize: Int64? = nil,
    responseBodySize: Int64? = nil
  ) {
    // An app may hand over any number: the farthest durations are brought to the nearest end.
    let (length, isTooLong) = completionTime.subtractingReportingOverflow(startTime)
    let duration = isTooLong ? (completionTime < startTime ? Int64.min : .max) : length
    self.init(
      timestamp: completionTime,
      eventType: Constants.AMP_NETWORK_TRACKING_EVENT,
      eventProperties: captured([
        ("URL", url), ("URL Query", urlQuery), ("URL Fragment", urlFragment),
        ("Request Method", method), ("Status Code", statusCode), ("Error Code", errorCode),
        ("Error Message", errorMessage), ("Start Time", startTime),
        ("Completion Time", completionTime), ("Duration", duration),
        ("Request Body Size", requestBodySize), ("Response Body Size", responseBodySize),
      ])
    )
  }
}

/// Properties whose names the product knows; those without a value are left out.
private func captured(_ values: [(String, Any?)]) -> [String: Any] {
  values.reduce(into: [:]) { properties, pair in
    properties[Constants.AMP_AMPLITUDE_PREFIX + pair.0] = pair.1
  }
}
