import EventRecord
import EventStore

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Gathers a batch's events that change properties or tell of money, and keeps what holds of those who
/// were met lately.
///
/// What a failed transaction had changed is forgotten with the whole index. One thread at a time.
final class PropertyIndex {
  /// A change and whose it is by what the event says itself.
  struct Pending {
    let change: PropertyChange
    let project: UInt32
    /// The user's number, or that of a device; nil for a group's.
    let person: Int64?
    let hasUser: Bool
  }

  private(set) var pending: [Pending] = []
  /// Rows for the table of revenues.
  private(set) var revenues: [[SQLValue]] = []
  var known: [Int64: KnownProperties] = [:]

  /// How many people and groups are kept from batch to batch.
  private static let maxKnown = 20_000

  /// Takes note of a new event; nearly all have nothing to say here.
  @inline(__always)
  func note(_ event: EventView, times: EventTimes, project: UInt32, person: Int64?) {
    if !event.operations.isEmpty || event.kind == .identify && !event.groups.isEmpty {
      noteChange(event, times: times, project: project, person: person)
    }
    if event.kind == .event, event.mayTellOfMoney {
      noteMoney(event, times: times, project: project, person: person)
    }
  }

  /// Ends a batch that was stored.
  func endBatch() {
    pending.removeAll(keepingCapacity: true)
    revenues.removeAll(keepingCapacity: true)
    if known.count > Self.maxKnown { known = [:] }
  }

  private func noteChange(
    _ event: EventView,
    times: EventTimes,
    project: UInt32,
    person: Int64?
  ) {
    let isGroup = event.kind == .groupIdentify
    guard isGroup || person != nil else { return }
    pending.append(
      Pending(
        change: PropertyChange(
          place: EventPlace(
            correctedMs: times.correctedMs,
            sequence: event.sequence,
            key: event.key
          ),
          kind: event.kind,
          operations: String(decoding: event.operations, as: UTF8.self),
          groups: String(decoding: event.groups, as: UTF8.self),
          isTest: event.flags.contains(.test)
        ),
        project: project,
        person: isGroup ? nil : person,
        hasUser: !event.userID.isEmpty
      )
    )
  }

  private func noteMoney(
    _ event: EventView,
    times: EventTimes,
    project: UInt32,
    person: Int64?
  ) {
    let fact = RevenueFact(
      properties: String(decoding: event.properties, as: UTF8.self),
      context: String(decoding: event.context, as: UTF8.self)
    )
    guard let fact else { return }
    revenues.append(
      [
        .key(event.key), .integer(Int64(project)), .time(times.correctedMs),
        person.map { .integer($0) } ?? .null, .boolean(event.flags.contains(.test)),
      ] + fact.values
    )
  }
}

extension EventView {
  private static let inProperties = RevenueFact.hintsInProperties.map { Array($0.utf8) }
  private static let inContext = RevenueFact.hintsInContext.map { Array($0.utf8) }

  fileprivate var mayTellOfMoney: Bool {
    Self.inProperties.contains { properties.contains(bytes: $0) }
      || !context.isEmpty && Self.inContext.contains { context.contains(bytes: $0) }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether the bytes hold a text in quotes; looked for by its first letter, since quotes abound.
  fileprivate func contains(bytes wanted: [UInt8]) -> Bool {
    guard let baseAddress, count >= wanted.count else { return false }
    var place = 1
    while let hit = memchr(baseAddress + place, Int32(wanted[1]), count - place) {
      let start = baseAddress.distance(to: UnsafeRawPointer(hit)) - 1
      guard start + wanted.count <= count else { return false }
      if memcmp(baseAddress + start, wanted, wanted.count) == 0 { return true }
      place = start + 2
    }
    return false
  }
}
