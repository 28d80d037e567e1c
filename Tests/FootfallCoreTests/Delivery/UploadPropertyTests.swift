import FootfallCore
import Testing

@Suite struct `Upload core under anything` {
  static let rules: [DeliveryRules] = [
    .native, .simpleDataLogs, .amplitude(maxRetries: 2), .phase, .pinpoint,
  ]

  /// An outbox and a server that do what they like, and a judge of what the core makes of it.
  struct World {
    var core: UploadCore
    var random: SeededRandom
    var now = 0.0
    var batches: [UploadCore.Batch] = []
    var nextNumber: UInt64 = 1
    var inFlight: (number: UInt64, events: [Int])?
    var settled: [UInt64: Set<Int>] = [:]
    var faults: [String] = []

    init(_ rules: DeliveryRules, seed: UInt64) {
      core = UploadCore(rules: rules)
      random = SeededRandom(seed: seed)
    }

    mutating func step() {
      switch Int.random(in: 0..<16, using: &random) {
      case 0...2:
        let events = Int.random(in: 1...12, using: &random)
        batches.append(.init(number: nextNumber, events: events))
        nextNumber += 1
        feed(.oldest(batches.first))
      case 3...9: answer()
      case 10:
        let kinds: [UploadCore.FlushKind] = [.ordinary, .urgent, .last]
        feed(.flush(through: nextNumber - 1, kind: kinds.randomElement(using: &random) ?? .last))
      case 11:
        feed(.connectivity(isOnline: [true, false, nil].randomElement(using: &random) ?? nil))
      case 12: feed(.offline(Bool.random(using: &random)))
      case 13:
        now = max(now, core.deadline ?? now)
        feed(.timePassed)
      case 14: dropOldest()
      default:
        inFlight = nil
        feed(.stop(DeliveryProblem(.disabled, "Off.")))
        feed(.resume)
      }
    }

    /// The caps act, but never on the batch in flight.
    private mutating func dropOldest() {
      guard let oldest = batches.first, core.batchInFlight != oldest.number else { return }
      batches.removeFirst()
      feed(.oldest(batches.first))
    }

    private mutating func answer() {
      guard let sent = inFlight else { return feed(.answered(.taken)) }
      inFlight = nil
      let verdicts = (0..<Int.random(in: 0...sent.events.count + 1, using: &random)).map { _ in
        let choices: [EventVerdict] = [
          .delivered(status: 202), .refused(status: 400, reason: "r", message: ""),
          .again(countsAsTry: true), .again(countsAsTry: false),
        ]
        return choices.randomElement(using: &random) ?? choices[0]
      }
      let choices: [UploadVerdict] = [
        .taken, .partial(verdicts), .partial(verdicts), .refused(status: 403, message: ""),
        .unexplained(status: 400, message: ""), .keyRefused, .tooMuch, .bad, .unreadable,
        UploadSubject.failure, .timedOut, .status(503, retryAfter: 5),
      ]
      feed(.answered(choices.randomElement(using: &random) ?? .taken))
    }

    private mutating func feed(_ input: UploadCore.Input) {
      for effect in core.receive(input, at: now, using: &random) { perform(effect) }
      if core.isSending != (inFlight != nil) { faults.append("Sending, or not, after \(input).") }
    }

    private mutating func perform(_ effect: UploadCore.Effect) {
      switch effect {
      case .send(let number, let events):
        if inFlight != nil { faults.append("Two requests at once.") }
        if batches.first?.number != number { faults.append("\(number) is not the oldest.") }
        if events.isEmpty { faults.append("A request without events.") }
        if !settled[number, default: []].isDisjoint(with: events) {
          faults.append("Sent after it was settled: \(number).")
        }
        inFlight = (number, events)
      case .settled(let number, let settlements):
        for settlement in settlements
        where !settled[number, default: []].insert(settlement.event).inserted {
          faults.append("Event \(settlement.event) of \(number) was settled twice.")
        }
      case .remove(let number):
        guard let batch = batches.first, batch.number == number else {
          faults.append("Removed, but not the oldest: \(number).")
          return
        }
        if settled[number, default: []] != Set(0..<batch.events) {
          faults.append("Batch \(number) was removed before all was settled.")
        }
        batches.removeFirst()
        feed(.oldest(batches.first))
      case .setAside(let number):
        batches.removeAll { $0.number == number }
        feed(.oldest(batches.first))
      case .finishFlush, .offlineChanged, .report: break
      }
    }
  }

  @Test(arguments: 0..<200 as Range<UInt64>)
  func `one request at a time, and every event is settled once before its batch goes`(
    seed: UInt64
  ) {
    let rules = Self.rules[Int(seed) % Self.rules.count]
    var world = World(rules, seed: seed)
    for _ in 0..<400 where world.faults.isEmpty { world.step() }
    #expect(world.faults.isEmpty, "seed \(seed)")
  }
}
