import FootfallCore
import FootfallOutbox

/// What an earlier client of the vendor's remembered, in its words.
///
/// A number that no such client can have written, below 0 or above 2⁵³, is as if it were absent: left
/// in, it would come back at every start.
struct AmplitudeEarlierState {
  var deviceID: String?
  var userID: String?
  var sessionID: Int64?
  var lastEventTime: Int64?
  var lastEventID: Int64?

  /// The same as this client's state; nil if nothing was remembered.
  var clientState: ClientState? {
    let (sessionID, lastEventTime) = (usable(self.sessionID), usable(self.lastEventTime))
    let lastEventID = usable(self.lastEventID)
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
    if let lastEventID { state.sequenceCeiling = lastEventID + 1 }
    return state
  }

  /// The largest whole number that JSON carries exactly, for every reader.
  private static let largest: Int64 = 1 << 53

  private func usable(_ number: Int64?) -> Int64? {
    number.flatMap { (0...Self.largest).contains($0) ? $0 : nil }
  }
}
