import EventRecord

/// Events of one device and user that follow each other in a request; nearly every request is of one sender.
public struct WireSender: Sendable, Hashable {
  /// The device's id as UTF-8; empty for none.
  public let device: [UInt8]
  /// The user's id as UTF-8; empty for none.
  public let user: [UInt8]
  /// Where the events stood in the request, ascending.
  public internal(set) var places: [Int]
}

extension [WireSender] {
  /// Adds an event that is in the record, and where it stood.
  mutating func note(_ event: EventView, at place: Int) {
    if let last = indices.last, self[last].isSender(of: event) {
      self[last].places.append(place)
    } else {
      append(
        WireSender(device: [UInt8](event.deviceID), user: [UInt8](event.userID), places: [place])
      )
    }
  }
}

extension WireSender {
  fileprivate func isSender(of event: EventView) -> Bool {
    device.withUnsafeBytes { $0.hasBytes(of: event.deviceID) }
      && user.withUnsafeBytes { $0.hasBytes(of: event.userID) }
  }
}
