import HTTPServing
import Insights

/// A segment that is being put together; all of it stands in the page's address.
struct SegmentQuery {
  /// The segment; nil when the address holds none that can be read.
  private(set) var segment: Segment?
  /// Whether a part was added: the address can be said shorter.
  private(set) var isGathered = false

  /// Reads the address; `saved` is what holds while it says nothing.
  init(_ request: Request, saved: Segment = Segment()) {
    let text = request.query("definition") ?? ""
    segment = text.isEmpty ? saved : Segment(String(text.prefix(20_000)))
    guard var segment else { return }
    if let match = request.query("match").flatMap(Segment.Match.init) {
      segment.match = match
      isGathered = true
    }
    for index in segment.groups.indices {
      guard let match = request.query("match-\(index)").flatMap(Segment.Match.init) else {
        continue
      }
      segment.groups[index].match = match
      isGathered = true
    }
    if let rule = RuleParts(request).rule.flatMap({ PersonRule($0) }) {
      let group = request.query("to").flatMap { Int($0) } ?? 0
      if segment.groups.indices.contains(group) {
        segment.groups[group].rules.append(rule)
      } else {
        segment.groups.append(Segment.Group(.all, [rule]))
      }
      isGathered = true
    }
    // What is too much is not taken, which the page shows.
    if segment.groups.count <= Segment.maxGroups, segment.rules.count <= Segment.maxRules {
      self.segment = segment
    }
  }
}

extension Segment {
  /// The same without one of its rules; a group that loses its last one goes.
  func without(rule: Int, of group: Int) -> Segment {
    var segment = self
    segment.groups[group].rules.remove(at: rule)
    if segment.groups[group].rules.isEmpty { segment.groups.remove(at: group) }
    return segment
  }

  /// The segment as people say it.
  func title(lists: [Int64: String]) -> String {
    guard !rules.isEmpty else { return "Everyone" }
    let parts = groups.map { group in
      let rules = group.rules.map { $0.title(lists: lists) }
      let text =
        switch group.match {
        case .all: rules.joined(separator: " and ")
        case .any: rules.joined(separator: " or ")
        case .none: "neither " + rules.joined(separator: " nor ")
        }
      return groups.count > 1 && group.rules.count > 1 ? "(\(text))" : text
    }
    return switch match {
    case .all: parts.joined(separator: " and ")
    case .any: parts.joined(separator: " or ")
    case .none: "neither " + parts.joined(separator: " nor ")
    }
  }
}
