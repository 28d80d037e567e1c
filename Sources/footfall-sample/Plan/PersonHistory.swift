/// All visits of one person in a period, and what is known about the person at its end.
struct PersonHistory: Sendable {
  let person: Person
  /// In the order they happened; no action lies outside the period.
  let visits: [Visit]
  /// Goes on writing where the history ends, for what happens live.
  let writer: VisitWriter

  /// Makes up a person's history.
  init(number: Int, seed: UInt64, period: Period) {
    var dice = Dice(seed: seed, part: UInt64(number))
    let person = Person(number: number, period: period, dice: &dice)
    var writer = VisitWriter(person: person, dice: dice)
    var visits: [Visit] = []
    var nowMs: Int64 = 0
    for startMs in Self.starts(person, period, &writer.dice) where startMs > nowMs + 60_000 {
      let visit = writer.visit(atMs: startMs, device: Self.device(person, startMs, &writer.dice))
      guard let endMs = visit.actions.last?.atMs, endMs < period.endMs else { break }
      visits.append(visit)
      nowMs = endMs
    }
    self.person = person
    self.visits = visits
    self.writer = writer
  }

  /// Whether somebody still opens the app at a moment.
  func isActive(atMs: Int64) -> Bool {
    person.habit != .visitor && person.leavesMs.map { $0 > atMs } ?? true
  }

  private static func device(_ person: Person, _ startMs: Int64, _ dice: inout Dice) -> Int {
    let second = person.devices.indices.last { $0 > 0 && person.devices[$0].installedMs <= startMs }
    guard let second else { return 0 }
    return dice.happens(0.35) ? second : 0
  }

  /// When visits begin: the first at joining, then by habit, weekday and hour.
  private static func starts(_ person: Person, _ period: Period, _ dice: inout Dice) -> [Int64] {
    let lastMs = min(person.leavesMs ?? period.endMs, period.endMs)
    var starts = [person.joinedMs]
    var dayMs = person.joinedMs - person.joinedMs % Period.dayMs
    var day = 0
    while dayMs < lastMs {
      let weekend = weekday(dayMs) >= 5 ? 1.15 : 1
      if day == 0 || dice.happens(person.habit.chance(day: day) * weekend) {
        repeat {
          starts.append(dayMs + timeOfDay(person.market, &dice))
        } while dice.happens(person.habit.againChance)
      }
      day += 1
      dayMs += Period.dayMs
    }
    return starts.filter { $0 >= person.joinedMs && $0 < lastMs }.sorted()
  }

  /// Monday is 0: the first day of 1970 was a Thursday.
  private static func weekday(_ ms: Int64) -> Int64 { (ms / Period.dayMs + 3) % 7 }

  /// A time of day in UTC: mornings, lunch and evenings where the person lives.
  private static func timeOfDay(_ market: Market, _ dice: inout Dice) -> Int64 {
    let local = dice.pick(
      weighted: [
        (0, 1), (1, 0.5), (6, 2), (7, 6), (8, 9), (9, 6), (10, 5), (11, 5), (12, 8), (13, 7),
        (14, 4), (15, 4), (16, 5), (17, 6), (18, 8), (19, 10), (20, 12), (21, 11), (22, 7), (23, 3),
      ])
    let hour = (local - market.hoursAhead + 24) % 24
    return Int64(hour) * 3_600_000 + Int64(dice.number(0...3_599_999))
  }
}
