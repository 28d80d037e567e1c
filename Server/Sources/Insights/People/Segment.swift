/// People who have something in common: groups of rules, each and all together joined by all, any or
/// none.
///
/// Nothing of it is fixed: who belongs is worked out whenever it is asked. Written
/// `all/any;user.plan:is:pro;in-list 4/all;active within 7d`: how the groups are joined, then the groups,
/// each with how its rules are joined; a backslash before `/`, `;` or `\` takes them as they are.
public struct Segment: Sendable, Hashable {
  /// How rules are joined.
  public enum Match: String, Sendable, CaseIterable {
    /// Every one holds.
    case all
    /// One or more hold.
    case any
    /// Not one holds.
    case none

    /// Joins what is true or false.
    func join(_ values: [Bool]) -> Bool {
      switch self {
      case .all: values.allSatisfy { $0 }
      case .any: values.contains(true)
      case .none: !values.contains(true)
      }
    }

    /// Joins conditions in SQL; of none all hold, and not one.
    func join(_ conditions: [String]) -> String {
      guard !conditions.isEmpty else { return self == .any ? "false" : "true" }
      return switch self {
      case .all: "(" + conditions.joined(separator: " AND ") + ")"
      case .any: "(" + conditions.joined(separator: " OR ") + ")"
      case .none: "NOT (" + conditions.joined(separator: " OR ") + ")"
      }
    }
  }

  /// Rules and how they are joined.
  public struct Group: Sendable, Hashable {
    /// How the rules are joined.
    public var match: Match
    /// The rules.
    public var rules: [PersonRule]

    /// A group from its parts.
    public init(_ match: Match = .all, _ rules: [PersonRule]) {
      self.match = match
      self.rules = rules
    }
  }

  /// How the groups are joined.
  public var match: Match
  /// The groups.
  public var groups: [Group]

  /// The most groups of a segment.
  public static let maxGroups = 5
  /// The most rules of all groups together.
  public static let maxRules = 50

  /// A segment from its parts.
  public init(_ match: Match = .all, _ groups: [Group] = []) {
    self.match = match
    self.groups = groups
  }

  /// Reads a segment as it is written; nil for anything else.
  public init?(_ text: String) {
    let parts = EscapedList.parts(of: text, separator: "/")
    guard let match = parts.first.flatMap(Match.init) else { return nil }
    var groups: [Group] = []
    for part in parts.dropFirst() {
      let texts = EscapedList.parts(of: part, separator: ";")
      guard let match = texts.first.flatMap(Match.init) else { return nil }
      let rules = texts.dropFirst().compactMap { PersonRule($0) }
      guard rules.count == texts.count - 1 else { return nil }
      groups.append(Group(match, rules))
    }
    self.init(match, groups)
    guard groups.count <= Self.maxGroups, rules.count <= Self.maxRules else { return nil }
  }

  /// The segment as `init` reads it.
  public var text: String {
    let groups = groups.map { group in
      EscapedList.text(of: [group.match.rawValue] + group.rules.map(\.text), separator: ";")
    }
    return EscapedList.text(of: [match.rawValue] + groups, separator: "/")
  }

  /// All rules of all groups.
  public var rules: [PersonRule] { groups.flatMap(\.rules) }

  /// The imported lists it asks for.
  public var lists: Set<Int64> { Set(rules.compactMap(\.list)) }
}

/// A segment with all it takes to tell who belongs to it.
public struct SegmentFilter: Sendable, Hashable {
  /// The segment.
  public var segment: Segment
  /// When it is, and who is on the lists.
  public var setting: PeopleSetting
  /// What it is called; says nothing about who belongs.
  public var name: String

  /// A filter from its parts.
  public init(_ segment: Segment, _ setting: PeopleSetting, name: String = "") {
    self.segment = segment
    self.setting = setting
    self.name = name
  }

  /// The numbers of the people who belong, as a statement with one column.
  func people(of project: UInt32, _ statement: inout Statement) -> String {
    var relation = PeopleRelation(project: project, setting: setting)
    let condition = relation.condition(segment, &statement)
    return "SELECT p.person FROM \(relation.source(&statement)) WHERE \(condition)"
  }
}

extension PeopleRelation {
  /// A segment as a condition.
  mutating func condition(_ segment: Segment, _ statement: inout Statement) -> String {
    var groups: [String] = []
    for group in segment.groups {
      var rules: [String] = []
      for rule in group.rules { rules.append(condition(rule, &statement)) }
      groups.append(group.match.join(rules))
    }
    return segment.match.join(groups)
  }
}

extension PeopleReading {
  /// Whether a person belongs to a segment.
  func meets(_ segment: Segment, _ member: Member) -> Bool {
    segment.match.join(
      segment.groups.map { group in group.match.join(group.rules.map { meets($0, member) }) }
    )
  }

  /// The numbers of those who belong to a segment.
  func people(in segment: Segment) -> Set<Int64> {
    Set(members.filter { meets(segment, $0) }.map(\.number))
  }
}
