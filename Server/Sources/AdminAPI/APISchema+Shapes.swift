import Catalog
import EventRecord
import EventStore

/// The things that calls take and answer with, each with its schema beside it.
extension APISchema {
  static let projectNumber = APISchema.integer(1...Int64(UInt32.max))
  static let name = APISchema.text(1...100)
  static let label = APISchema.text(0...100)
  static let role = APISchema.choice(Role.allCases.map(\.rawValue))

  static let project = APISchema.object([
    APIField("id", projectNumber), APIField("name", .text(0...100)),
    APIField("time_zone", .text(0...100), "An IANA name; days are counted in it."),
    APIField("week_start", .weekStart, "Where weeks begin."),
    APIField(
      "currency",
      .nullable(.currency),
      "What revenue is told in; null for none in particular."
    ),
    APIField("revenue_formula", .revenueFormula),
    APIField("rates", .rates, "What one unit of other currencies is worth in the project's."),
    APIField("created_at", .time),
  ])

  static let key = APISchema.object([
    APIField("id", .integer(1...Int64.max)), APIField("project", projectNumber),
    APIField("kind", .choice(KeyKind.allCases.map(\.rawValue))), APIField("label", .text(0...100)),
    APIField("value", .nullable(.text(0...300)), "The key itself; null for a secret one."),
    APIField("hint", .text(0...300), "The key shortened."), APIField("created_at", .time),
    APIField("revoked_at", .nullable(.time)),
    APIField("ends_at", .nullable(.time), "When it stops working because it was replaced."),
    APIField("test", .boolean, "Whether all its events are test events."),
    APIField("role", .nullable(role), "What a secret key may do."),
  ])

  static let madeKey = APISchema.object([
    APIField("key", key),
    APIField("plaintext", .text(1...100), "The key's text; a secret key's is told only now."),
  ])

  static let user = APISchema.object([
    APIField("name", .text(0...100)), APIField("role", role),
    APIField("has_password", .boolean), APIField("created_at", .time),
  ])

  static let session = APISchema.object([
    APIField("id", .text(16...16)), APIField("user", .text(0...100)),
    APIField("browser", .text(0...100)), APIField("created_at", .time),
    APIField("expires_at", .time),
  ])

  static let entry = APISchema.object([
    APIField("id", .integer(1...Int64.max)), APIField("at", .time),
    APIField("actor", .text(0...200)), APIField("action", .text(0...100)),
    APIField("project", .nullable(projectNumber)), APIField("detail", .text(0...100_000)),
  ])

  static let rules = APISchema.object([
    APIField("retention_days", .nullable(.integer(1...36_500)), "Null keeps events for ever."),
    APIField(
      "names",
      .list(
        .object([APIField("name", .text(1...256)), APIField("days", .integer(1...36_500))]),
        max: Catalog.maxNameRetentions
      ),
      "Names that are kept for another time."
    ),
    APIField(
      "events_per_day",
      .nullable(.integer(1...1_000_000_000_000)),
      "The day's quota (UTC); null takes any number."
    ),
  ])

  static let event: APISchema = {
    let text = APISchema.text(0...1_100)
    return .object([
      APIField("key", eventKey),
      APIField("kind", .choice(["event", "identify", "group_identify", "stream_record"])),
      APIField("test", .boolean), APIField("name", .text(0...1_100)), APIField("id", text),
      APIField("ts", anyTime, "The event's own time, as sent."),
      APIField("corrected_ts", anyTime, "Without the error of the client's clock."),
      APIField("received_ts", anyTime), APIField("seq", .integer(.min ... .max)),
      APIField("device_id", text), APIField("user_id", text), APIField("session_id", text),
      APIField("props", .anyObject), APIField("groups", .anyObject), APIField("ops", .anyObject),
      APIField("context", .anyObject), APIField("client", .anyObject),
    ])
  }()

  /// A time that somebody sent.
  static let anyTime = APISchema.integer(.min ... .max)

  static let eventKey = APISchema.pattern("[0-9a-f]{32}") { text in
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  static let sessionID = APISchema.pattern("[0-9a-f]{16}") { text in
    text.utf8.count == 16
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  /// A list under a name, as every call that lists answers.
  static func page(_ name: String, of schema: APISchema, max: Int) -> APISchema {
    .object([APIField(name, .list(schema, max: max))])
  }

  /// The same with the place of the next page.
  static func pages(_ name: String, of schema: APISchema, max: Int) -> APISchema {
    .object([
      APIField(name, .list(schema, max: max)),
      APIField(
        "next",
        .nullable(.text(1...200)),
        "What to send as “before” for the next page; null after the last."
      ),
    ])
  }
}

/// In a literal of a dictionary `Key` is what its members are named by.
typealias ProjectKey = Key

extension JSONValue {
  init(_ project: Project) {
    self = [
      "id": .number(project.id), "name": .text(project.name), "time_zone": .text(project.timeZone),
      "week_start": .text(project.reckoning.weekStart.rawValue),
      "currency": .optional(project.reckoning.currency),
      "revenue_formula": .text(project.reckoning.formula.rawValue),
      "rates": .list(
        project.reckoning.rates.texts.sorted { $0.key < $1.key }.map {
          ["currency": .text($0.key), "rate": .text($0.value)]
        }
      ),
      "created_at": .integer(project.createdAtMs),
    ]
  }

  init(_ key: ProjectKey) {
    self = [
      "id": .integer(key.id), "project": .number(key.project), "kind": .text(key.kind.rawValue),
      "label": .text(key.label), "value": .optional(key.value), "hint": .text(key.hint),
      "created_at": .integer(key.createdAtMs), "revoked_at": .optional(key.revokedAtMs),
      "ends_at": .optional(key.endsAtMs), "test": .boolean(key.isTest),
      "role": .optional(key.role?.rawValue),
    ]
  }

  init(_ made: CreatedKey) {
    self = ["key": JSONValue(made.key), "plaintext": .text(made.plaintext)]
  }

  init(_ user: User) {
    self = [
      "name": .text(user.name), "role": .text(user.role.rawValue),
      "has_password": .boolean(user.hasPassword), "created_at": .integer(user.createdAtMs),
    ]
  }

  init(_ session: DashboardSession) {
    self = [
      "id": .text(session.id), "user": .text(session.user), "browser": .text(session.browser),
      "created_at": .integer(session.createdAtMs), "expires_at": .integer(session.expiresAtMs),
    ]
  }

  init(_ entry: AuditEntry) {
    self = [
      "id": .integer(entry.id), "at": .integer(entry.atMs), "actor": .text(entry.actor),
      "action": .text(entry.action), "project": .optional(entry.project),
      "detail": .text(entry.detail),
    ]
  }

  init(_ rules: ProjectRules) {
    self = [
      "retention_days": .optional(rules.retentionDays),
      "names": .list(rules.names.map { ["name": .text($0.name), "days": .number($0.days)] }),
      "events_per_day": .optional(rules.eventsPerDay),
    ]
  }

  init(_ event: StoredEvent) {
    let kind =
      switch event.kind {
      case .event: "event"
      case .identify: "identify"
      case .groupIdentify: "group_identify"
      case .streamRecord: "stream_record"
      }
    self = [
      "key": .text(event.key.description), "kind": .text(kind), "test": .boolean(event.isTest),
      "name": .text(event.name), "id": .text(event.id), "ts": .integer(event.timestampMs),
      "corrected_ts": .integer(event.correctedMs), "received_ts": .integer(event.receivedMs),
      "seq": .integer(event.sequence), "device_id": .text(event.deviceID),
      "user_id": .text(event.userID), "session_id": .text(event.sessionID),
      "props": .stored(event.properties), "groups": .stored(event.groups),
      "ops": .stored(event.operations), "context": .stored(event.context),
      "client": .stored(event.client),
    ]
  }

  /// An object as the store keeps it, which was checked as it came; `{}` where it keeps none.
  static func stored(_ json: String) -> JSONValue {
    .raw(json.hasPrefix("{") ? json : "{}")
  }
}
