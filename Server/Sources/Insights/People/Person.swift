import EventRecord
public import EventStore

/// One person whose events can be found quickly: a user with the devices they used, or a device on
/// which no user was seen.
///
/// Found by `PersonLookup`. Two of the same number are the same person.
public struct Person: Sendable, Hashable {
  /// A device's time that belongs to the user.
  public struct Span: Sendable, Hashable {
    /// The device's number.
    public var device: Int64
    /// The device's id.
    public var deviceID: String
    /// From when on, in milliseconds since 1970.
    public var fromMs: Int64
    /// Up to when, this moment excluded.
    public var toMs: Int64
  }

  /// The project's number.
  public let project: UInt32
  /// The user's id, or the device's.
  public let id: String
  /// Whether it is a user.
  public let isUser: Bool
  /// When which devices belonged to the user; what happened there without a user is theirs.
  public let spans: [Span]

  init(project: UInt32, id: String, isUser: Bool, spans: [Span]) {
    self.project = project
    self.id = id
    self.isUser = isUser
    self.spans = spans
  }

  /// The person's number.
  ///
  /// A device's test events have another one; they are among `spans` where no user was seen in tests.
  public var number: Int64 {
    isUser
      ? PersonNumber.user(project: project, id: id) : PersonNumber.device(project: project, id: id)
  }

  /// Compares numbers: what is known of devices does not make someone else.
  public static func == (a: Person, b: Person) -> Bool { a.number == b.number }

  /// Hashes the number.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }

  /// The person's events `e`, in SQL; all their columns.
  ///
  /// The mapping of devices is spelled out, a part for each number: comparing one column with one
  /// number is what a store does fastest.
  func source(_ statement: inout Statement, table: String = "events") -> String {
    let parts = parts(&statement).map { "SELECT * FROM \(table) WHERE \($0)" }
    return "(" + parts.joined(separator: "\nUNION ALL ") + ") AS e"
  }

  /// What the person's events meet, one or another, none two of these.
  func parts(_ statement: inout Statement) -> [String] {
    var parts = ["person = \(statement.bind(.integer(number)))"]
    for span in spans {
      let device = statement.bind(.integer(span.device))
      let (from, to) = (statement.bind(.time(span.fromMs)), statement.bind(.time(span.toMs)))
      parts.append("person = \(device) AND corrected_at >= \(from) AND corrected_at < \(to)")
    }
    return parts
  }

  /// The person's events among all of a store by definition: identifies, too, but none of groups.
  func events(_ all: [StoredEvent], _ map: PeopleMap? = nil) -> [StoredEvent] {
    let map = map ?? PeopleMap(all)
    return all.filter { event in
      guard event.project == project, event.kind != .groupIdentify else { return false }
      let person = map.person(of: event)
      return person == number
        || !isUser && event.isTest && person == PersonNumber.inTests(number)
    }
  }
}

/// Who is meant by an id of a user or a device.
public struct PersonLookup: Insight {
  /// The answer.
  public enum Output: Sendable, Hashable {
    /// This person.
    case person(Person)
    /// A device of users, the last one last: what happened there is theirs.
    case device(of: [String])
    /// Nobody has this id.
    case nobody
  }

  /// The project's number.
  public var project: UInt32
  /// The id; a user's goes before a device's.
  public var id: String
  /// Whether only a device is meant.
  public var isDevice: Bool

  /// The question from its parts.
  public init(project: UInt32, id: String, isDevice: Bool = false) {
    self.project = project
    self.id = id
    self.isDevice = isDevice
  }

  /// The statement: a row for each span of the user, for each user of the device, and for what has
  /// events of its own.
  public func sql(_ dialect: Dialect) -> SQL {
    SQL(
      """
      SELECT 0 AS role, device, device_id AS id, from_at, to_at FROM device_users
      WHERE project_id = $1 AND person = $2
      UNION ALL
      SELECT 1, device, user_id, from_at, to_at FROM device_users
      WHERE project_id = $1 AND device = $3 AND person IS NOT NULL
      UNION ALL
      SELECT 2, NULL, NULL, NULL, NULL
      WHERE EXISTS (SELECT 1 FROM events WHERE person = $2 AND kind <> 2)
      UNION ALL
      SELECT 3, NULL, NULL, NULL, NULL
      WHERE EXISTS (SELECT 1 FROM events WHERE person = $3 AND kind <> 2)
      UNION ALL
      SELECT 4, device, user_id, from_at, to_at FROM device_users
      WHERE project_id = $1 AND device = $4 AND person IS NOT NULL
      UNION ALL
      SELECT 5, NULL, NULL, NULL, NULL
      WHERE EXISTS (SELECT 1 FROM events WHERE person = $4 AND kind <> 2)
      ORDER BY role, from_at, to_at, device
      """,
      binding: [
        .integer(Int64(project)), .integer(PersonNumber.user(project: project, id: id)),
        .integer(PersonNumber.device(project: project, id: id)),
        .integer(PersonNumber.device(project: project, id: id, isTest: true)),
      ]
    )
  }

  /// Who it is.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  public func output(of rows: [Row]) throws -> Output {
    let roles = try rows.map { try $0.integer(0) }
    if !isDevice, roles.contains(2) {
      let spans = try rows.filter { try $0.integer(0) == 0 }.map { row in
        Person.Span(
          device: try row.integer(1),
          deviceID: try row.text(2),
          fromMs: try row.time(3),
          toMs: try row.time(4)
        )
      }
      return .person(Person(project: project, id: id, isUser: true, spans: spans))
    }
    let (users, testers) = (try Self.users(rows, role: 1), try Self.users(rows, role: 4))
    if !users.isEmpty { return .device(of: users) }
    guard roles.contains(3) || testers.isEmpty && roles.contains(5) else {
      return testers.isEmpty ? .nobody : .device(of: testers)
    }
    let inTests = Person.Span(
      device: PersonNumber.device(project: project, id: id, isTest: true),
      deviceID: id,
      fromMs: EventTimes.startMs,
      toMs: EventTimes.endMs
    )
    let spans = testers.isEmpty && roles.contains(5) ? [inTests] : []
    return .person(Person(project: project, id: id, isUser: false, spans: spans))
  }

  /// The users of some rows, the last one last, each once.
  private static func users(_ rows: [Row], role: Int64) throws -> [String] {
    var users: [String] = []
    for row in rows where try row.integer(0) == role {
      let user = try row.text(2)
      users.removeAll { $0 == user }
      users.append(user)
    }
    return users
  }

  /// Who it is by definition.
  public func output(over events: [StoredEvent]) -> Output {
    guard !id.isEmpty else { return .nobody }
    let own = events.filter { $0.project == project && $0.kind != .groupIdentify }
    if !isDevice, own.contains(where: { $0.userID == id }) {
      return .person(Person(project: project, id: id, isUser: true, spans: []))
    }
    let map = PeopleMap(events)
    let users = map.users(ofDevice: id, project: project)
    if !users.isEmpty { return .device(of: users) }
    let testers = map.users(ofDevice: id, project: project, isTest: true)
    let alone = own.filter { $0.userID.isEmpty && $0.deviceID == id }
    guard alone.contains(where: { !$0.isTest || testers.isEmpty }) else {
      return testers.isEmpty ? .nobody : .device(of: testers)
    }
    return .person(Person(project: project, id: id, isUser: false, spans: []))
  }
}
