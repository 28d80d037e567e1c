import FootfallCore
import Foundation
import Testing

@testable import footfall_sample

/// `Fixtures/demo-events/events.ndjson`: events of the demo as the SDK writes them, one a line.
///
/// Only whole batches of 50 of one device are in it, one device after the other, so that whoever
/// measures sizes can cut the file every 50 lines.
@Suite struct `The fixture of demo events` {
  static let batch = 50
  static let leastEvents = 5_000
  static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/demo-events/events.ndjson")

  @Test func `the SDK still writes these bytes for these events`() throws {
    let lines = try Self.wholeBatches()
    #expect(lines.count >= Self.leastEvents && lines.count % Self.batch == 0)
    let bytes = Data((lines.joined(separator: "\n") + "\n").utf8)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      let folder = Self.file.deletingLastPathComponent()
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try bytes.write(to: Self.file)
    }
    let isSame = try Data(contentsOf: Self.file) == bytes
    #expect(isSame, "If the change is meant, RECORD=1 writes the file anew; review its diff.")
  }

  /// Whole batches of the demo's devices, in order, until there are enough.
  private static func wholeBatches() throws -> [String] {
    let plan = DemoPlan(DemoPlan.Settings(anchorMs: 1_764_581_400_000))
    var lines: [String] = []
    for (index, device) in plan.devices.enumerated() where lines.count < leastEvents {
      let written = try self.written(on: device, number: UInt64(index))
      lines += written.prefix(written.count / batch * batch)
    }
    return lines
  }

  private static func written(on device: DeviceHistory, number: UInt64) throws -> [String] {
    var dice = Dice(seed: 1, part: 1_000_000 + number)
    let deviceID = EventID(
      milliseconds: UInt64(device.device.installedMs),
      counter: 0,
      random: dice.bits()
    )
    var identity = EventIdentity(deviceID: deviceID.description)
    let encoder = EventEncoder()
    var lines: [String] = []
    for action in device.chapters.flatMap(\.actions) {
      let options = EventOptions(id: action.id, sessionID: .number(action.visitMs))
      func add(_ content: EventContent, _ details: EventDetails? = nil) throws {
        let event = StampedEvent(
          name: content.name,
          properties: content.properties,
          id: placeholder,
          milliseconds: action.atMs,
          moment: moment,
          details: details ?? EventDetails(options: options)
        )
        lines.append(try line(event, Int64(lines.count + 1), identity, encoder))
      }
      func add(_ change: GroupChange, _ options: EventOptions) throws {
        var options = options
        options.groups = change.groups
        let isOfGroup = change.name == .groupIdentify
        try add(
          EventContent(change.name, [:]),
          EventDetails(
            options: options,
            operations: isOfGroup ? nil : change.operations,
            groupOperations: isOfGroup ? change.operations : nil
          )
        )
      }
      switch action.kind {
      case .signIn(let user): identity.userID = user
      case .signOut: identity.userID = nil
      case .track(let name, let properties): try add(EventContent(name, properties))
      case .screen(let name): try add(EventVocabulary.footfall.screenView(name, [:]))
      case .revenue(let revenue): try add(try #require(revenue.content))
      case .identify(let operations):
        try add(
          EventContent(.identify, [:]),
          EventDetails(options: options, operations: operations)
        )
      case .join(let team):
        try add(try #require(GroupChange.assigning([team], ofType: "team")), options)
      case .identifyTeam(let team, let operations):
        try add(try #require(GroupChange.changing(team, ofType: "team", operations)), options)
      }
    }
    return lines
  }

  /// Never later than an event, so that none counts as dated back.
  private static let moment = Moment(
    wallMilliseconds: 0,
    steadyMilliseconds: 0,
    awakeMilliseconds: 0
  )

  /// Never written, since every event has an id of its own.
  private static let placeholder = EventID(milliseconds: 0, counter: 0, random: 0)

  private static func line(
    _ event: StampedEvent,
    _ sequence: Int64,
    _ identity: EventIdentity,
    _ encoder: EventEncoder
  ) throws -> String {
    var buffer = JSONBuffer()
    var losses = DropCounts()
    let reason = encoder.encode(
      Event(event, sequence: sequence, identity: identity),
      into: &buffer,
      losses: &losses
    )
    #expect(reason == nil && losses.isEmpty)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }
}
