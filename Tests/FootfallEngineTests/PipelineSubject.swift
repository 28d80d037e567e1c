import FootfallCore
import FootfallPlatform
import FootfallTesting

@testable import FootfallEngine

/// A pipeline with a history: feeds it what happens and writes down what comes out.
final class PipelineSubject {
  var pipeline: Pipeline
  /// Everything that went on so far.
  private(set) var events: [Event] = []
  private(set) var dropped: [EventResult] = []
  private(set) var losses = DropCounts()
  private(set) var lines: [LogLine] = []
  private(set) var flushes = 0
  private(set) var discards = 0
  /// The state as last asked to be stored.
  private(set) var saved: PipelineState
  private var ids = EventIDSequence(random: 99)

  init(
    _ rules: PipelineRules = .native,
    context: EventContext = EventContext(),
    state: PipelineState = PipelineState(),
    isCollecting: Bool = true,
    seed: UInt64 = 1
  ) {
    pipeline = Pipeline(
      rules: rules,
      context: context,
      state: state,
      isCollecting: isCollecting,
      random: RandomBytes(.seeded(seed))
    )
    saved = state
  }

  static func moment(_ time: Int64) -> Moment {
    Moment(
      wallMilliseconds: time,
      steadyMilliseconds: time + 77_000_000,
      awakeMilliseconds: time
    )
  }

  func take(_ input: PipelineInput) {
    var output = PipelineOutput()
    pipeline.receive(input, into: &output)
    events += output.events
    dropped += output.dropped.map(\.result)
    losses.add(output.losses)
    lines += output.lines
    if output.wantsFlush { flushes += 1 }
    if output.discardsQueue { discards += 1 }
    if output.isStateChanged || output.isActivityMoved { saved = pipeline.state }
  }

  func take(_ change: PipelineInput.Change, at time: Int64) {
    take(.change(change, at: Self.moment(time)))
  }

  /// The client starts: identity first, then the rest.
  @discardableResult
  func launch(
    at time: Int64,
    _ identity: IdentityCore.Launch = .init(deviceID: "device-1"),
    in presence: Presence = .active,
    isFirst: Bool = true
  ) -> PipelineSubject {
    take(.identity(.launch(identity)), at: time)
    take(.launch(.init(session: .init(presence: presence), isFirst: isFirst)), at: time)
    return self
  }

  func track(
    _ name: EventName,
    _ properties: Properties = [:],
    unread: (any UnreadProperties)? = nil,
    at time: Int64,
    dated: Int64? = nil,
    _ options: EventOptions? = nil,
    operations: IdentifyOperations? = nil,
    groupOperations: IdentifyOperations? = nil
  ) {
    let hasDetails = options != nil || operations != nil || groupOperations != nil
    let details = EventDetails(
      options: options ?? EventOptions(),
      operations: operations,
      groupOperations: groupOperations
    )
    take(
      .event(
        StampedEvent(
          name: name,
          properties: properties,
          unread: unread,
          id: ids.next(at: time) { 7 },
          milliseconds: dated ?? time,
          moment: Self.moment(time),
          details: hasDetails ? details : nil
        )
      )
    )
  }

  /// What went on since the last call, as `name session@time`.
  func told() -> [String] {
    defer { events = [] }
    return events.map { event in
      let session =
        switch event.sessionID {
        case .number(let number): "\(number)"
        case .text(let text): String(text.prefix(4))
        case nil: "-"
        }
      return "\(event.name) \(session)@\(event.milliseconds)"
    }
  }
}

/// A plugin that writes down what it is called for.
final class RecordingPlugin: Plugin, @unchecked Sendable {
  let stage: PluginStage
  let label: String
  /// Written on the one thread of the test.
  var calls: [String] = []
  var journal: ((String) -> Void)?
  var change: (Event) -> Event? = { $0 }

  init(_ label: String, _ stage: PluginStage) {
    self.label = label
    self.stage = stage
  }

  private func note(_ call: String) {
    calls.append(call)
    journal?("\(label) \(call)")
  }

  func process(_ event: Event) -> Event? {
    note(event.name.text)
    return change(event)
  }
  func receive(_ event: Event) { note(event.name.text) }
  func flush() { note("flush") }
  func userChanged(_ userID: String?) { note("user \(userID ?? "-")") }
  func deviceChanged(_ deviceID: String?) { note("device \(deviceID ?? "-")") }
  func identityChanged(_ userID: String?, _ deviceID: String?, _ properties: Properties) {
    note("identity \(userID ?? "-") \(deviceID ?? "-") \(properties.map(\.key))")
  }
  func sessionChanged(_ sessionID: SessionID?) {
    note(sessionID == nil ? "session -" : "session")
  }
  func collectionChanged(_ isOn: Bool) { note("collection \(isOn)") }
  func reset() { note("reset") }
}
