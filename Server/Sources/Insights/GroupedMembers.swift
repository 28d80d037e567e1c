/// Members by the groups that they count in, the largest group first, by definition.
struct GroupedMembers<Member> {
  private let members: [Member]
  private let ranked: [(group: Group, places: [Int])]

  /// Each member in all of its groups.
  init(_ members: [Member], by groups: (Member) -> Set<Group>) {
    self.members = members
    var places: [Group: [Int]] = [:]
    for (place, member) in members.enumerated() {
      for group in groups(member) { places[group, default: []].append(place) }
    }
    ranked = places.map { (group: $0.key, places: $0.value) }.sorted { a, b in
      a.places.count == b.places.count
        ? Group.precedes(a.group, b.group) : a.places.count > b.places.count
    }
  }

  /// The largest groups.
  func largest(_ limit: Int) -> [(group: Group, members: [Member])] {
    ranked.prefix(limit).map { ($0.group, $0.places.map { members[$0] }) }
  }

  /// All members of the other groups, each once.
  func others(_ limit: Int) -> [Member] {
    Set(ranked.dropFirst(limit).flatMap(\.places)).sorted().map { members[$0] }
  }
}
