import EventRecord
import EventStore

/// Numbers the people of events as they are loaded, and notes who is seen on which device.
///
/// What a sighting changes is found without asking the store as long as its device is here; most
/// sightings change nothing. What a failed transaction had noted is forgotten with the whole index.
/// One thread at a time.
final class DeviceIndex {
  /// Sightings of a batch on one device that may change something.
  struct Pending {
    let project: UInt32
    let deviceID: String
    let isTest: Bool
    /// A user of the sightings; the only one unless they are mixed.
    let userID: String
    var seen: DeviceUsers.Stretch
  }

  /// Sightings of this batch, by the device's number.
  private(set) var pending: [Int64: Pending] = [:]
  /// The devices whose users are known; devices without any included.
  var known: [Int64: DeviceUsers] = [:]

  /// How many devices are kept from batch to batch.
  private static let maxKnown = 250_000

  // Most events of a request are of one device and one user.
  private var latest = Latest()

  private struct Latest {
    var project: UInt32 = 0
    var isTest = false
    var deviceID = UnsafeRawBufferPointer(start: nil, count: 0)
    var userID = UnsafeRawBufferPointer(start: nil, count: 0)
    var device: Int64?
    var user: Int64?
    var users: DeviceUsers?

    func has(_ event: EventView, project: UInt32) -> Bool {
      self.project == project && isTest == event.flags.contains(.test)
        && deviceID.elementsAre(event.deviceID)
        && userID.elementsAre(event.userID)
    }
  }

  /// Whose an event is by what it says itself, and notes what it tells about its device.
  ///
  /// - Parameters:
  ///   - event: points into the batch's bytes, which live until `endBatch`.
  ///   - correctedMs: the time that counts.
  ///   - project: the project's number.
  /// - Returns: the number of its user, or of its device; nil for neither.
  func person(of event: EventView, correctedMs: Int64, project: UInt32) -> Int64? {
    if !latest.has(event, project: project) { latest = numbers(of: event, project: project) }
    guard let user = latest.user else { return latest.device }
    guard let device = latest.device, event.kind != .groupIdentify else { return user }
    let sighting = DeviceUsers.Sighting(
      atMs: correctedMs,
      sequence: event.sequence,
      user: user
    )
    if latest.users?.knows(sighting) != true {
      note(sighting, on: device, event, project: project)
    }
    return user
  }

  /// Ends a batch that was stored.
  func endBatch() {
    latest = Latest()
    pending.removeAll(keepingCapacity: true)
    if known.count > Self.maxKnown { known = [:] }
  }

  private func numbers(of event: EventView, project: UInt32) -> Latest {
    var latest = Latest(
      project: project,
      isTest: event.flags.contains(.test),
      deviceID: event.deviceID,
      userID: event.userID
    )
    if !event.userID.isEmpty {
      latest.user = PersonNumber.user(project: project, id: event.userID)
    }
    if !event.deviceID.isEmpty {
      var device = PersonNumber.device(project: project, id: event.deviceID)
      if latest.isTest { device = PersonNumber.inTests(device) }
      latest.device = device
      latest.users = known[device]
    }
    return latest
  }

  private func note(
    _ sighting: DeviceUsers.Sighting,
    on device: Int64,
    _ event: EventView,
    project: UInt32
  ) {
    if pending[device]?.seen.add(sighting) != nil { return }
    pending[device] = Pending(
      project: project,
      deviceID: String(decoding: event.deviceID, as: UTF8.self),
      isTest: event.flags.contains(.test),
      userID: String(decoding: event.userID, as: UTF8.self),
      seen: DeviceUsers.Stretch(sighting)
    )
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes are the same; those of a request's events often lie in one place.
  @inline(__always)
  fileprivate func elementsAre(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    return count == 0 || baseAddress == other.baseAddress || elementsEqual(other)
  }
}
