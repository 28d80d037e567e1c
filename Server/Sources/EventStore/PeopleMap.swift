import EventRecord

/// Whose each event is, by definition: what stores with a mapping of their own must agree with.
///
/// An event with a user is the user's. One without is that of the user seen last on its device, up to
/// and with its millisecond, or of the first one seen there if it is earlier; without any, or on a
/// shared device, it is the device's own. Test events and others tell nothing of each other: what a tester
/// does on somebody's device makes the two nobody's one person.
public struct PeopleMap: Sendable {
  private struct Device: Hashable {
    var project: UInt32
    var id: String
    var isTest: Bool

    init(_ event: StoredEvent) {
      (project, id, isTest) = (event.project, event.deviceID, event.isTest)
    }

    init(project: UInt32, id: String, isTest: Bool) {
      (self.project, self.id, self.isTest) = (project, id, isTest)
    }
  }

  private struct Sighting {
    var order: DeviceUsers.Sighting
    var userID: String
  }

  private var sightings: [Device: [Sighting]] = [:]

  /// Reads all events of a store, in any order.
  public init(_ events: [StoredEvent]) {
    for event in events where event.isSighting {
      let sighting = Sighting(
        order: DeviceUsers.Sighting(
          atMs: event.correctedMs,
          sequence: event.sequence,
          user: PersonNumber.user(project: event.project, id: event.userID)
        ),
        userID: event.userID
      )
      sightings[Device(event), default: []].append(sighting)
    }
    sightings = sightings.compactMapValues { seen in
      let seen = seen.sorted { $0.order < $1.order }
      let changes = zip(seen, seen.dropFirst()).count { $0.userID != $1.userID }
      return changes < DeviceUsers.maxChanges ? seen : nil
    }
  }

  /// The user an event belongs to; empty for none.
  public func userID(of event: StoredEvent) -> String {
    guard event.userID.isEmpty else { return event.userID }
    let seen = sightings[Device(event)] ?? []
    return (seen.last { $0.order.atMs <= event.correctedMs } ?? seen.first)?.userID ?? ""
  }

  /// The id of the person an event belongs to, a user's or a device's; empty for nobody.
  public func personID(of event: StoredEvent) -> String {
    let userID = userID(of: event)
    return userID.isEmpty ? event.deviceID : userID
  }

  /// The number of the person an event belongs to; nil for nobody.
  ///
  /// A device has another one in tests.
  public func person(of event: StoredEvent) -> Int64? {
    let userID = userID(of: event)
    if !userID.isEmpty { return PersonNumber.user(project: event.project, id: userID) }
    guard !event.deviceID.isEmpty else { return nil }
    return PersonNumber.device(
      project: event.project,
      id: event.deviceID,
      isTest: event.isTest
    )
  }

  /// The devices on which a user was seen otherwise than by test events, shared ones left out.
  public func devices(ofUser user: Int64, project: UInt32) -> Set<String> {
    Set(
      sightings.filter { device, seen in
        device.project == project && !device.isTest && seen.contains { $0.order.user == user }
      }.keys.map(\.id)
    )
  }

  /// The users seen on a device, the last one last; empty for a shared device.
  ///
  /// - Parameters:
  ///   - id: the device's id.
  ///   - project: the project's number.
  ///   - isTest: whether those of test events are meant, or those of all others.
  /// - Returns: their ids.
  public func users(ofDevice id: String, project: UInt32, isTest: Bool = false) -> [String] {
    var users: [String] = []
    for sighting in sightings[Device(project: project, id: id, isTest: isTest)] ?? [] {
      users.removeAll { $0 == sighting.userID }
      users.append(sighting.userID)
    }
    return users
  }

  /// Whether an event is a person's: `person` is the id of the person it belongs to or of its device.
  public func does(_ event: StoredEvent, belongTo person: String) -> Bool {
    personID(of: event) == person || event.deviceID == person
  }
}

extension StoredEvent {
  /// Whether the event tells who uses its device.
  var isSighting: Bool {
    kind != .groupIdentify && !userID.isEmpty && !deviceID.isEmpty
  }
}
