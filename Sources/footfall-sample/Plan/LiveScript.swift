/// What happens while the demo runs: a few people at a time, each in a visit of their own.
///
/// A pure value: from a seed and a start it gives one step after the other, without end.
struct LiveScript: Sendable {
  /// Something a person does on a device, at a moment.
  struct Step: Sendable {
    let person: Person
    let device: Device
    let action: PlannedAction
    /// Whether the visit begins with it.
    let isFirst: Bool
    /// Whether the visit ends with it.
    let isLast: Bool
  }

  /// How far apart visits begin on average, in milliseconds.
  ///
  /// A visit has some ten events, so that about two events come in three seconds.
  static let visitEveryMs = 14_000.0
  /// How many visits begin in the first few seconds, so that there is something to see at once.
  static let firstVisits = 4
  /// The longest pause within a visit, in milliseconds: a live page should not look asleep.
  static let maxPauseMs: Int64 = 12_000

  private let period: Period
  private let seed: UInt64
  private var dice: Dice
  private var writers: [VisitWriter]
  private var nextNumber: Int
  private var busy: Set<Int> = []
  private var coming: [Step] = []
  private var nextVisitMs: Int64
  private var visits = 0

  /// Makes a script that goes on where a history ends.
  ///
  /// - Parameters:
  ///   - plan: The people and how they have left the app.
  ///   - startMs: When it begins, in milliseconds since 1970; also seeds the choices, so that two
  ///     runs of the demo do not look alike.
  ///   - newcomers: How many people have joined in earlier runs.
  init(plan: DemoPlan, startMs: Int64, newcomers: Int = 0) {
    period = plan.period
    let seed = plan.settings.seed ^ UInt64(bitPattern: startMs)
    self.seed = seed
    dice = Dice(seed: seed, part: 0)
    let active = plan.histories.filter { $0.isActive(atMs: startMs) && !$0.visits.isEmpty }
    writers = active.map { history in
      var writer = history.writer
      // The history's dice would repeat the same live visits in every run.
      writer.dice = Dice(seed: seed, part: UInt64(history.person.number))
      return writer
    }
    nextNumber = plan.settings.people + newcomers + 1
    nextVisitMs = startMs
  }

  /// The number of the next person to join.
  var nextPersonNumber: Int { nextNumber }

  /// The next thing that happens, never before the one given earlier.
  mutating func next() -> Step {
    while coming.isEmpty || coming[0].action.atMs > nextVisitMs { beginVisit() }
    let step = coming.removeFirst()
    if step.isLast { busy.remove(step.person.number) }
    return step
  }

  private mutating func beginVisit() {
    let startMs = nextVisitMs
    visits += 1
    // Between a third and five thirds of the average: bursts and lulls, never silence for long.
    let average = visits < Self.firstVisits ? 1_500 : Self.visitEveryMs
    nextVisitMs += Int64(average * dice.real(0.33...1.67))
    guard let index = chooseWriter(atMs: startMs) else { return }
    let person = writers[index].person
    let installed = person.devices.indices.filter { person.devices[$0].installedMs <= startMs }
    guard let device = installed.isEmpty ? nil : dice.pick(installed) else { return }
    let visit = writers[index].visit(atMs: startMs, device: device)
    guard visit.actions.count > 0 else { return }
    busy.insert(person.number)
    add(visit, person, startMs)
  }

  /// Somebody who is not in the app just now; one in ten is new.
  private mutating func chooseWriter(atMs: Int64) -> Int? {
    if dice.happens(0.1) || writers.isEmpty {
      var theirs = Dice(seed: seed, part: UInt64(nextNumber))
      let person = Person(number: nextNumber, joinedMs: atMs, dice: &theirs)
      nextNumber += 1
      writers.append(VisitWriter(person: person, dice: theirs))
      return writers.count - 1
    }
    // People who come often in the history come often here.
    let free = writers.indices.filter { !busy.contains(writers[$0].person.number) }
    guard !free.isEmpty else { return nil }
    return dice.pick(weighted: free.map { ($0, writers[$0].person.habit.chance(day: 10)) })
  }

  private mutating func add(_ visit: Visit, _ person: Person, _ startMs: Int64) {
    var atMs = startMs
    var beforeMs = startMs
    for (index, action) in visit.actions.enumerated() {
      atMs += min(action.atMs - beforeMs, Self.maxPauseMs)
      beforeMs = action.atMs
      coming.append(
        Step(
          person: person,
          device: person.devices[visit.device],
          action: PlannedAction(
            atMs: atMs,
            id: action.id,
            kind: action.kind,
            visitMs: action.visitMs
          ),
          isFirst: index == 0,
          isLast: index == visit.actions.count - 1
        )
      )
    }
    // Few steps wait at a time; sorting keeps those of one moment in the order they were added.
    coming = coming.enumerated()
      .sorted { ($0.element.action.atMs, $0.offset) < ($1.element.action.atMs, $1.offset) }
      .map(\.element)
  }
}
