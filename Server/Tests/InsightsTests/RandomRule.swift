import EventRecord
import EventStore
import Insights

extension RandomHistory {
  /// Rules about people of every kind, among them such as hold of nobody.
  static let rules: [PersonRule] =
    [
      "user.plan:is:pro", "user.plan:is-not:free", "user.n:over:1", "user.l:contains:a",
      "user.nothing:not-set", "platform:is:iOS", "platform:is-not:Linux", "version:set",
      "country:not-set", "group.org:is:15", "group.org:is-not:16", "group.team:set",
      "group.team:contains:a", "did-at-least 1 ever Played", "did-at-least 3 9d Opened",
      "did-at-most 0 ever a", "did-at-most 2 6d Opened|platform:is:iOS",
      "did-at-least 2 ever Played|user.plan:set", "did-at-least 1 ever it's; DROP TABLE events--",
      "first-seen within 15d", "first-seen not-within 17d", "active within 3d",
      "active not-within 2d", "in-list 1", "not-in-list 1", "in-list 2", "in-list 3",
    ].compactMap { PersonRule($0) }

  /// Now, somewhere in the last days of the history, with lists of users and devices.
  mutating func setting() -> PeopleSetting {
    let now = Self.start + Int64.random(in: 15...21, using: &self) * Self.day
    func numbers(_ ids: [String]) -> [Int64] {
      ids.flatMap {
        [PersonNumber.user(project: 1, id: $0), PersonNumber.device(project: 1, id: $0)]
      }
    }
    return PeopleSetting(
      nowMs: now,
      lists: [
        1: numbers(["user-1", "nobody"]),
        2: [PersonNumber.device(project: 1, id: pick(Self.people))],
        3: [],
      ]
    )
  }

  /// A segment of a few rules.
  mutating func segment() -> Segment {
    let count = pick([0, 1, 1, 2, 3])
    return Segment(
      pick(Segment.Match.allCases),
      (0..<count).map { _ in
        Segment.Group(
          pick(Segment.Match.allCases),
          (0..<pick([0, 1, 1, 2, 3])).map { _ in pick(Self.rules) }
        )
      }
    )
  }
}
