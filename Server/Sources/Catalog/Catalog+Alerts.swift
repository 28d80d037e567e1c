import Foundation

/// One thing that happened to an alert.
public struct AlertNote: Sendable, Hashable {
  /// When, in milliseconds since 1970.
  public let atMs: Int64
  /// What, see `AlertCore.Note`.
  public let kind: String
  /// More about it, for people.
  public let detail: String
}

extension Catalog {
  /// Entries of an alert's history that are kept.
  public static let maxAlertNotes: Int64 = 200

  /// Alerts, oldest first; of one project or of all.
  public func alerts(project: UInt32? = nil) throws(CatalogError) -> [Alert] {
    try read { (database) throws(CatalogError) in
      try Self.alerts(project: project, id: nil, in: database)
    }
  }

  /// One alert of a project, or nil.
  public func alert(_ id: Int64, project: UInt32) throws(CatalogError) -> Alert? {
    try read { (database) throws(CatalogError) in
      try Self.alerts(project: project, id: id, in: database).first
    }
  }

  /// Makes an alert; the secret that its messages are signed with is told only now.
  ///
  /// - Returns: The alert, and its secret.
  /// - Throws: `unknownProject`; `invalid` for what is over a limit; `masterKey` when the secret cannot be
  ///   encrypted.
  public func createAlert(
    _ terms: Alert.Terms,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> (alert: Alert, secret: String) {
    try Self.check(terms)
    let secret = "ff_hook_" + Secrets.token(length: 32)
    let key = try MasterKey.made(at: masterKeyPath)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      guard try Self.alerts(project: project, id: nil, in: database).count < Alert.maxAlerts else {
        throw CatalogError.invalid(
          field: "name",
          reason: "A project has at most \(Alert.maxAlerts) alerts; delete one first."
        )
      }
      try database.run(
        """
        INSERT INTO alerts (project, name, question, parameters, rule, amount, every_minutes, webhook,
          secret, state, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [.integer(Int64(project))] + Self.values(terms) + [
          .bytes([]), .text(try Self.text(AlertState())), .integer(now),
        ]
      )
      let id = database.lastRow
      try database.run(
        "UPDATE alerts SET secret = ? WHERE id = ?",
        .bytes(key.seal(secret, of: "alert \(id)")),
        .integer(id)
      )
      try note("alert.create", project: project, "“\(terms.name)”", by: actor, in: database)
      return (try Self.alert(id, of: project, in: database), secret)
    }
  }

  /// Changes what was decided about an alert; it looks anew.
  ///
  /// - Throws: `unknownAlert`, or as `createAlert`.
  @discardableResult
  public func changeAlert(
    _ id: Int64,
    to terms: Alert.Terms,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> Alert {
    try Self.check(terms)
    return try write { (database) throws(CatalogError) in
      let old = try Self.alert(id, of: project, in: database)
      var state = old.state
      if (terms.question, terms.parameters, terms.rule)
        != (old.terms.question, old.terms.parameters, old.terms.rule)
      {
        // What was told stays so: whoever was told of something too far hears when it is back.
        state.level = .unknown
        (state.finding, state.problem) = (nil, nil)
      }
      state.lookedMs = nil
      try database.run(
        """
        UPDATE alerts SET name = ?, question = ?, parameters = ?, rule = ?, amount = ?,
          every_minutes = ?, webhook = ?, state = ? WHERE id = ?
        """,
        Self.values(terms) + [.text(try Self.text(state)), .integer(id)]
      )
      try note("alert.change", project: project, "“\(terms.name)”", by: actor, in: database)
      return try Self.alert(id, of: project, in: database)
    }
  }

  /// Removes an alert with its history.
  ///
  /// - Throws: `unknownAlert`.
  public func deleteAlert(
    _ id: Int64,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let alert = try Self.alert(id, of: project, in: database)
      try database.run("DELETE FROM alerts WHERE id = ?", .integer(id))
      try note("alert.delete", project: project, "“\(alert.terms.name)”", by: actor, in: database)
    }
  }

  /// Tells an alert what happened, and keeps how it stands then; an alert that is gone does nothing.
  ///
  /// - Parameters:
  ///   - input: What happened.
  ///   - id: The alert's number.
  ///   - terms: What was decided when it happened; where that was changed since, nothing is told. Nil where
  ///     it does not matter.
  ///   - actor: Who does it; nil where nobody did anything, as when time went by.
  /// - Returns: What is to be done.
  /// - Throws: What SQLite says when it could not be kept; nothing is to be done then.
  public func tellAlert(
    _ input: AlertCore.Input,
    id: Int64,
    decided terms: Alert.Terms? = nil,
    by actor: Actor? = nil
  ) throws(CatalogError) -> [AlertCore.Effect] {
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) -> [AlertCore.Effect] in
      guard let alert = try Self.alerts(project: nil, id: id, in: database).first else { return [] }
      guard terms == nil || terms == alert.terms else { return [] }
      var core = alert.core
      let effects = core.receive(input, at: now)
      if core.state != alert.state {
        try database.run(
          "UPDATE alerts SET state = ? WHERE id = ?",
          .text(try Self.text(core.state)),
          .integer(id)
        )
      }
      for case .note(let kind, let detail) in effects {
        try database.run(
          "INSERT INTO alert_notes (alert, at, kind, detail) VALUES (?, ?, ?, ?)",
          .integer(id),
          .integer(now),
          .text(kind.rawValue),
          .text(String(detail.prefix(500)))
        )
        try database.run(
          """
          DELETE FROM alert_notes WHERE alert = ?1 AND id <= (
            SELECT id FROM alert_notes WHERE alert = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)
          """,
          .integer(id),
          .integer(Self.maxAlertNotes)
        )
      }
      if let actor {
        try note(
          AuditAction(rawValue: "alert.\(input)"),
          project: alert.project,
          "“\(alert.terms.name)”",
          by: actor,
          in: database
        )
      }
      return effects
    }
  }

  /// What happened to an alert, the last first.
  public func alertNotes(_ id: Int64, limit: Int = 50) throws(CatalogError) -> [AlertNote] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT at, kind, detail FROM alert_notes WHERE alert = ? ORDER BY id DESC LIMIT ?",
        .integer(id),
        .integer(Int64(min(max(1, limit), Int(Self.maxAlertNotes))))
      ) { AlertNote(atMs: $0.integer(0), kind: $0.text(1), detail: $0.text(2)) }
    }
  }

  /// The secret that an alert's messages are signed with; nil for one that is gone or cannot be opened.
  ///
  /// - Throws: `masterKey` when the key cannot be read.
  public func alertSecret(_ id: Int64) throws(CatalogError) -> String? {
    guard let key = try MasterKey.existing(at: masterKeyPath) else { return nil }
    return try read { (database) throws(CatalogError) in
      try database.rows("SELECT secret FROM alerts WHERE id = ?", .integer(id)) { $0.bytes(0) }
        .first.flatMap { key.unseal($0, of: "alert \(id)") }
    }
  }

  // MARK: Rows

  private static func alert(
    _ id: Int64,
    of project: UInt32,
    in database: Database
  ) throws(CatalogError) -> Alert {
    guard let alert = try alerts(project: project, id: id, in: database).first else {
      throw .unknownAlert(id)
    }
    return alert
  }

  private static func alerts(
    project: UInt32?,
    id: Int64?,
    in database: Database
  ) throws(CatalogError) -> [Alert] {
    try database.rows(
      """
      SELECT id, project, name, question, parameters, rule, amount, every_minutes, webhook, state,
        created_at
      FROM alerts WHERE (?1 IS NULL OR project = ?1) AND (?2 IS NULL OR id = ?2) ORDER BY id
      """,
      .optional(project.map(Int64.init)),
      .optional(id)
    ) { row in
      Alert(
        id: row.integer(0),
        project: row.project(1),
        terms: Alert.Terms(
          name: row.text(2),
          question: row.text(3),
          parameters: row.text(4),
          rule: AlertRule(row.text(5), Double(row.text(6)) ?? 0) ?? .over(0),
          everyMinutes: Int(row.integer(7)),
          webhook: row.text(8)
        ),
        state: state(row.text(9)),
        createdAtMs: row.integer(10)
      )
    }
  }

  private static func values(_ terms: Alert.Terms) -> [SQLValue] {
    [
      .text(terms.name), .text(terms.question), .text(terms.parameters), .text(terms.rule.word),
      .text("\(terms.rule.amount)"), .integer(Int64(terms.everyMinutes)), .text(terms.webhook),
    ]
  }

  private static func text(_ state: AlertState) throws(CatalogError) -> String {
    do {
      return String(decoding: try JSONEncoder().encode(state), as: UTF8.self)
    } catch {
      throw .invalid(field: "state", reason: "An alert's state cannot be written: \(error).")
    }
  }

  /// A state that cannot be read is a new one: the alert looks again.
  private static func state(_ text: String) -> AlertState {
    do { return try JSONDecoder().decode(AlertState.self, from: Data(text.utf8)) } catch {
      return AlertState()
    }
  }

  private static func check(_ terms: Alert.Terms) throws(CatalogError) {
    guard (1...100).contains(terms.name.count), !terms.name.contains("\0") else {
      throw .invalid(field: "name", reason: "An alert's name has 1 to 100 characters.")
    }
    guard (1...1_440).contains(terms.everyMinutes) else {
      throw .invalid(field: "every_minutes", reason: "An alert looks every 1 to 1,440 minutes.")
    }
    guard !terms.question.isEmpty, terms.question.count <= 40, terms.parameters.utf8.count <= 8_000
    else {
      throw .invalid(field: "question", reason: "An alert's question has at most 8,000 bytes.")
    }
    guard WebhookAddress(terms.webhook) != nil else {
      throw .invalid(
        field: "webhook",
        reason: "A webhook is an address such as https://example.com/hook, without a user name."
      )
    }
  }
}

extension Alert {
  /// What decides about it.
  public var core: AlertCore {
    AlertCore(rule: terms.rule, everyMinutes: terms.everyMinutes, state: state)
  }
}
