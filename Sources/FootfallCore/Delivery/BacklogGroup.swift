/// What a stored event goes with when more is kept than may be, such as its session.
package struct BacklogGroup: Sendable, Equatable {
  /// Tells the groups apart.
  package var name: String
  /// Whether it is the event that the others of its group depend on.
  package var isHead: Bool

  /// A group's event.
  package init(_ name: String, isHead: Bool = false) {
    self.name = name
    self.isHead = isHead
  }
}

extension BacklogGroup {
  /// The places of the events that go so that at most `limit` are kept, ascending.
  ///
  /// Groups whose head is there go whole, the oldest first, but never the newest group: that one is
  /// still going on. Where there is none of those left, single events go, the oldest first; then
  /// heads and events of no group.
  ///
  /// Source: `phase.md` section 5.5.
  ///
  /// - Parameters:
  ///   - groups: Of each kept event, the oldest first; nil for one of no group.
  ///   - limit: How many may be kept.
  /// - Returns: The places.
  package static func excess(of groups: [BacklogGroup?], over limit: Int) -> [Int] {
    var left = Set(groups.indices)
    let heads = groups.lazy.compactMap(\.self).filter(\.isHead)
    let newest = heads.last?.name
    for head in heads where head.name != newest && left.count > limit {
      left = left.filter { groups[$0]?.name != head.name }
    }
    let singles = groups.indices.filter { groups[$0]?.isHead == false }
    for place in singles + groups.indices where left.count > limit { left.remove(place) }
    return groups.indices.filter { !left.contains($0) }
  }
}
