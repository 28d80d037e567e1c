import EventRecord
public import EventStore

/// A project's people, page by page.
///
/// Whoever has an event or was identified is listed, tests left out. Seen are people when they do
/// something; who never did is seen when they were identified.
public struct PeopleList: Insight {
  /// By what people are sorted; the highest first, people who are alike by their number.
  public enum Order: String, Sendable, CaseIterable {
    /// When they were seen last.
    case lastSeen = "last-seen"
    /// When they were seen first.
    case firstSeen = "first-seen"
    /// How many events they have.
    case events
  }

  /// One person.
  public struct Entry: Sendable, Hashable {
    /// The person's number.
    public var person: Int64
    /// The user's id or, without one, the device's.
    public var id: String
    /// How many events.
    public var events: Int
    /// When they were seen first, in milliseconds since 1970.
    public var firstSeenMs: Int64
    /// When they were seen last.
    public var lastSeenMs: Int64
    /// What holds of them now.
    public var properties: Members<PropertyValue>

    /// Whether it is a user and not a device without one.
    public func isUser(in project: UInt32) -> Bool {
      person == PersonNumber.user(project: project, id: id)
    }
  }

  /// The place of a person in the list.
  public struct Place: Sendable, Hashable {
    /// What the list is sorted by.
    public var value: Int64
    /// Decides between people who are alike.
    public var person: Int64

    /// The place of a person.
    public init(of entry: Entry, in order: Order) {
      person = entry.person
      value =
        switch order {
        case .lastSeen: entry.lastSeenMs
        case .firstSeen: entry.firstSeenMs
        case .events: Int64(entry.events)
        }
    }

    /// The place written by `text`; nil for any other text.
    public init?(text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let value = Int64(parts[0]), let person = Int64(parts[1])
      else { return nil }
      self.value = value
      self.person = person
    }

    /// The place as a text that is safe in an address.
    public var text: String { "\(value).\(person)" }
  }

  /// The answer.
  public struct Output: Sendable, Hashable {
    /// How many people there are on all pages; 0 beyond the last.
    public var total: Int
    /// The page.
    public var people: [Entry]
  }

  /// The project's number.
  public var project: UInt32
  /// What a user's id, a device's id or a text among the properties contains; capitals do not matter.
  public var search: String?
  /// What must hold of everyone.
  public var rules: [PersonRule]
  /// The segment they belong to.
  public var segment: SegmentFilter?
  /// When it is, and who is on the lists of `rules`.
  public var setting: PeopleSetting
  /// By what they are sorted.
  public var order: Order
  /// Whether the lowest come first.
  public var isAscending: Bool
  /// Only people after this place.
  public var after: Place?
  /// How many at most; 1 to 1,000.
  public var limit: Int

  /// The question from its parts.
  public init(
    project: UInt32,
    search: String? = nil,
    rules: [PersonRule] = [],
    segment: SegmentFilter? = nil,
    setting: PeopleSetting,
    order: Order = .lastSeen,
    isAscending: Bool = false,
    after: Place? = nil,
    limit: Int = 50
  ) {
    self.project = project
    self.search = search.flatMap { $0.isEmpty ? nil : $0 }
    self.rules = rules
    self.segment = segment
    self.setting = setting
    self.order = order
    self.isAscending = isAscending
    self.after = after
    self.limit = min(max(1, limit), 1_000)
  }

  /// The statement.
  public func sql(_ dialect: Dialect) -> SQL {
    var statement = Statement()
    var relation = PeopleRelation(project: project, setting: setting)
    var conditions: [String] = []
    for rule in rules { conditions.append(relation.condition(rule, &statement)) }
    if let search { conditions.append(found(search, &statement)) }
    if let segment {
      conditions.append("p.person IN (\(segment.people(of: project, &statement)))")
    }
    let source = relation.source(&statement)
    let (column, isTime) =
      switch order {
      case .lastSeen: ("last_seen", true)
      case .firstSeen: ("first_seen", true)
      case .events: ("events", false)
      }
    let (sign, direction) = isAscending ? (">", "ASC") : ("<", "DESC")
    let place = after.map { place in
      let value = statement.bind(isTime ? .time(place.value) : .integer(place.value))
      return
        "WHERE (chosen.\(column), chosen.person) \(sign) (\(value), \(statement.bind(.integer(place.person))))"
    }
    let projectID = statement.bind(.integer(Int64(project)))
    return statement.sql(
      """
      WITH chosen AS MATERIALIZED (
        SELECT p.person, p.events, p.first_seen, p.last_seen FROM \(source)
        WHERE \(conditions.isEmpty ? "true" : conditions.joined(separator: " AND "))
      ), page AS MATERIALIZED (
        SELECT * FROM chosen \(place ?? "")
        ORDER BY \(column) \(direction), person \(direction)
        LIMIT \(statement.bind(.integer(Int64(limit))))
      ), users AS MATERIALIZED (
        -- Ids are read for the page alone: texts of all events would cost more than all the rest.
        SELECT person, any_value(user_id) AS who FROM device_users
        WHERE person IN (SELECT person FROM page) GROUP BY person
      ), others AS (
        SELECT e.person, any_value(coalesce(e.user_id, e.device_id)) AS who FROM events AS e
        WHERE e.person IN (SELECT person FROM page WHERE person NOT IN (SELECT person FROM users))
        GROUP BY e.person
      )
      SELECT (SELECT count(*) FROM chosen), page.person, coalesce(users.who, others.who), events,
        first_seen, last_seen, holder.properties
      FROM page LEFT JOIN users ON users.person = page.person
        LEFT JOIN others ON others.person = page.person
        LEFT JOIN current_properties AS holder
          ON holder.subject = page.person AND holder.project_id = \(projectID)
      ORDER BY page.\(column) \(direction), page.person \(direction)
      """
    )
  }

  private func found(_ search: String, _ statement: inout Statement) -> String {
    let wanted = statement.bind(search.loweredBySimpleMapping)
    func text(_ value: String) -> String {
      "json_type(\(value)) = 'VARCHAR' AND contains(lower(json_extract_string(\(value), '$')), \(wanted))"
    }
    return """
      (contains(lower(p.who), \(wanted))
        OR p.person IN (SELECT d.person FROM device_users AS d
          WHERE d.project_id = \(statement.bind(.integer(Int64(project)))) AND d.person IS NOT NULL
            AND contains(lower(d.device_id), \(wanted)))
        OR coalesce(len(list_filter(json_extract(holder.properties, '$.*'), lambda v:
          CASE json_type(v) WHEN 'ARRAY'
            THEN len(list_filter(json_extract(v, '$[*]'), lambda x: \(text("x")))) > 0
            ELSE \(text("v")) END)) > 0, false))
      """
  }

  /// The page.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    Output(
      total: try rows.first.map { Int(try $0.integer(0)) } ?? 0,
      people: try rows.map { row in
        Entry(
          person: try row.integer(1),
          id: try row.text(2),
          events: Int(try row.integer(3)),
          firstSeenMs: try row.time(4),
          lastSeenMs: try row.time(5),
          properties: PropertyValue.members(of: try row.text(6)) ?? [:]
        )
      }
    )
  }

  /// The page by definition.
  public func output(over events: [StoredEvent]) -> Output {
    let reading = PeopleReading(project: project, setting: setting, events)
    let segment = segment.map { filter in
      PeopleReading(project: project, setting: filter.setting, events).people(in: filter.segment)
    }
    let chosen = reading.members.filter { member in
      rules.allSatisfy { reading.meets($0, member) } && isFound(member, reading.map)
        && segment.map { $0.contains(member.number) } ?? true
    }
    let entries = chosen.map { member in
      Entry(
        person: member.number,
        id: member.id,
        events: member.count,
        firstSeenMs: member.firstSeenMs,
        lastSeenMs: member.lastSeenMs,
        properties: member.state.properties
      )
    }
    func place(_ entry: Entry) -> (Int64, Int64) {
      let place = Place(of: entry, in: order)
      return (place.value, place.person)
    }
    let sorted = entries.sorted {
      isAscending ? place($0) < place($1) : place($0) > place($1)
    }.filter { entry in
      after.map {
        isAscending
          ? place(entry) > ($0.value, $0.person) : place(entry) < ($0.value, $0.person)
      } ?? true
    }
    let page = Array(sorted.prefix(limit))
    return Output(total: page.isEmpty ? 0 : entries.count, people: page)
  }

  private func isFound(_ member: PeopleReading.Member, _ map: PeopleMap) -> Bool {
    guard let wanted = search?.loweredBySimpleMapping else { return true }
    func contains(_ text: String) -> Bool { text.loweredBySimpleMapping.contains(bytesOf: wanted) }
    return contains(member.id)
      || map.devices(ofUser: member.number, project: project).contains(where: contains)
      || member.state.properties.values.flatMap(\.values).contains { value in
        if case .text(let text) = value { contains(text) } else { false }
      }
  }
}

extension String {
  /// In small letters, scalar by scalar, as the store does it.
  fileprivate var loweredBySimpleMapping: String {
    var lowered = ""
    for scalar in unicodeScalars {
      let mapped = scalar.properties.lowercaseMapping.unicodeScalars
      lowered.unicodeScalars.append(mapped.count == 1 ? mapped[mapped.startIndex] : scalar)
    }
    return lowered
  }

  /// Whether a text is in it byte by byte.
  fileprivate func contains(bytesOf part: String) -> Bool {
    let (text, part) = (Array(utf8), Array(part.utf8))
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
  }
}
