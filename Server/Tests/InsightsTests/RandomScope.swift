import Insights

extension RandomHistory {
  /// Conditions of every kind, among them such as nothing meets.
  static let conditions: [Condition] = [
    Condition(.name, .equals, "Played"), Condition(.name, .differs, "Opened"),
    Condition(.name, .contains, "e"), Condition(.person, .equals, "user-1"),
    Condition(.person, .equals, "device-1"), Condition(.person, .differs, "device-2"),
    Condition(.person, .contains, "user"), Condition(.person, .isMissing),
    Condition(.platform, .equals, "iOS"), Condition(.platform, .isMissing),
    Condition(.version, .equals, "4.2.0"), Condition(.version, .contains, "."),
    Condition(.property("n"), .equals, "1.0"), Condition(.property("n"), .over, "0.5"),
    Condition(.property("n"), .under, "1"), Condition(.property("n"), .lacks, "1"),
    Condition(.property("$price"), .over, "1"), Condition(.property("title"), .contains, "\"$"),
    Condition(.property("tags"), .equals, "a~b/c"), Condition(.property("tags"), .equals, "2"),
    Condition(.property("tags"), .contains, "~"), Condition(.property("live"), .equals, "true"),
    Condition(.property("a/b~c"), .equals, "x"), Condition(.property("nothing"), .isThere),
    Condition(.user("plan"), .equals, "pro"), Condition(.user("plan"), .differs, "free"),
    Condition(.user("l"), .equals, "1"), Condition(.user("n"), .over, "1"),
    Condition(.group("org"), .equals, "15"), Condition(.group("team"), .isMissing),
  ]

  /// A scope somewhere in the history.
  mutating func scope() -> Scope {
    let from = moment()
    return Scope(
      project: UInt32(pick([1, 1, 2])),
      fromMs: from,
      toMs: from + Int64.random(in: -1...15 * Self.day, using: &self),
      conditions: pick([0, 0, 1, 1, 2]) == 0
        ? [] : (0..<pick([1, 1, 2])).map { _ in pick(Self.conditions) },
      unit: pick([.people, .people, .devices, .users]),
      includesTest: pick([true, false]),
      segment: pick([true, false, false]) ? SegmentFilter(segment(), setting()) : nil
    )
  }
}
