import FootfallCore
import FootfallOutbox

/// What an earlier client of the vendor's remembered, in its words.
struct AmplitudeEarlierState {
  var deviceID: String?
  var userID: String?
  var sessionID: Int64?
  var lastEventTime: Int64?
  var lastEventID: Int64?

  /// The same as this client's state; nil if nothing was remembered.
  var clientState: ClientState? {
    guard
      deviceID != nil || userID != nil || sessionID != nil || lastEventTime != nil
        || lastEventID != nil
    else { return nil }
    var state = ClientState()
    state.deviceID = deviceID
    state.isDeviceKnown = deviceID != nil
    state.userID = userID
    state.session.session = sessionID.map {
      OpenSession(id: .number($0), startMilliseconds: $0)
    }
    state.session.lastActivityMilliseconds = lastEventTime
    if let lastEventID { state.sequenceCeiling = max(1, lastEventID + 1) }
    return state
  }
}
