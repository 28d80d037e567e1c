import Foundation

extension Catalog {
  /// Makes a project.
  ///
  /// - Parameters:
  ///   - name: 1 to 100 characters after trimming; no other project's, whatever the case of its letters.
  ///   - timeZone: An IANA name; days and weeks are counted in it.
  ///   - actor: Who makes it.
  /// - Returns: The project with its number.
  /// - Throws: `invalid` for a name that cannot be used or is another project's, and for a zone that is none.
  public func createProject(
    name: String,
    timeZone: String = "UTC",
    by actor: Actor = .server
  ) throws(CatalogError) -> Project {
    let name = try Self.checkedName(name)
    let timeZone = try Self.checkedTimeZone(timeZone)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      try Self.requireFreeName(name, in: database)
      let project = try Self.insertProject(
        name: name,
        timeZone: timeZone,
        nowMs: now,
        into: database
      )
      try note(
        "project.create",
        project: project.id,
        "“\(name)”, \(timeZone)",
        by: actor,
        in: database
      )
      return project
    }
  }

  /// Every project, oldest first.
  public func projects() throws(CatalogError) -> [Project] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        "\(Self.projectColumns) ORDER BY id",
        read: Self.project
      )
    }
  }

  /// The project with this number, or nil.
  public func project(_ id: UInt32) throws(CatalogError) -> Project? {
    try read { (database) throws(CatalogError) in
      try database.rows(
        "\(Self.projectColumns) WHERE id = ?",
        .integer(Int64(id)),
        read: Self.project
      ).first
    }
  }

  /// Changes a project's name and time zone, and how its numbers are reckoned unless that is nil.
  ///
  /// The rules are those of `createProject`; a project keeps a name that another has too, as it could have in
  /// earlier versions.
  ///
  /// - Throws: `unknownProject`; `invalid` also for a currency that is not three letters, and
  ///   for rates that make no sense, see `ExchangeRates`.
  public func updateProject(
    _ id: UInt32,
    name: String,
    timeZone: String,
    reckoning: Reckoning? = nil,
    by actor: Actor = .server
  ) throws(CatalogError) {
    let name = try Self.checkedName(name)
    let timeZone = try Self.checkedTimeZone(timeZone)
    let reckoning = try reckoning?.checked()
    try write { (database) throws(CatalogError) in
      try Self.requireProject(id, in: database)
      try Self.requireFreeName(name, for: id, in: database)
      try database.run(
        "UPDATE projects SET name = ?, time_zone = ? WHERE id = ?",
        .text(name),
        .text(timeZone),
        .integer(Int64(id))
      )
      if let reckoning {
        try database.run(
          "UPDATE projects SET week_start = ?, currency = ?, revenue_formula = ?, rates = ? WHERE id = ?",
          .text(reckoning.weekStart.rawValue),
          .optional(reckoning.currency),
          .text(reckoning.formula.rawValue),
          .text(reckoning.rates.stored),
          .integer(Int64(id))
        )
      }
      let detail = "“\(name)”, \(timeZone)" + (reckoning.map { ", \($0.summary)" } ?? "")
      try note("project.update", project: id, detail, by: actor, in: database)
    }
  }

  /// Checks that a project exists.
  static func requireProject(_ id: UInt32, in database: Database) throws(CatalogError) {
    let known = try database.rows(
      "SELECT 1 FROM projects WHERE id = ?",
      .integer(Int64(id))
    ) { _ in true }
    guard !known.isEmpty else { throw .unknownProject(id) }
  }

  /// Checks that no other project has a name; in the transaction that gives it, so that of two processes one
  /// is refused.
  ///
  /// - Parameters:
  ///   - name: the name, trimmed.
  ///   - id: the project that is to have it; nil for a new one.
  ///   - database: the catalogue.
  /// - Throws: `invalid`, which names the project that has it.
  private static func requireFreeName(
    _ name: String,
    for id: UInt32? = nil,
    in database: Database
  ) throws(CatalogError) {
    let wanted = ProjectName(name)
    let same = try names(in: database).filter { ProjectName($0.name) == wanted }
    guard let other = same.first, !same.contains(where: { $0.id == id }) else { return }
    throw .invalid(
      field: "name",
      reason: "Project \(other.id) is called “\(other.name)” already; choose another name."
    )
  }

  /// A name that no project has: this one, or the first of it with a number behind.
  static func freeName(_ name: String, in database: Database) throws(CatalogError) -> String {
    let taken = Set(try names(in: database).map { ProjectName($0.name) })
    var (free, number) = (name, 1)
    while taken.contains(ProjectName(free)) {
      number += 1
      free = "\(name.prefix(90)) \(number)"
    }
    return free
  }

  private static func names(
    in database: Database
  ) throws(CatalogError) -> [(id: UInt32, name: String)] {
    try database.rows("SELECT id, name FROM projects ORDER BY id") { ($0.project(0), $0.text(1)) }
  }

  static func insertProject(
    name: String,
    timeZone: String,
    nowMs: Int64,
    into database: Database
  ) throws(CatalogError) -> Project {
    try database.run(
      "INSERT INTO projects (name, time_zone, created_at) VALUES (?, ?, ?)",
      .text(name),
      .text(timeZone),
      .integer(nowMs)
    )
    let id = UInt32(clamping: database.lastRow)
    try insert(
      Board(
        id: 0,
        project: id,
        name: StartBoard.name,
        createdAtMs: nowMs,
        cards: StartBoard.cards
      ),
      into: database
    )
    return Project(
      id: id,
      name: name,
      timeZone: timeZone,
      reckoning: Reckoning(),
      createdAtMs: nowMs
    )
  }

  static func checkedName(_ name: String) throws(CatalogError) -> String {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...100).contains(name.count) else {
      throw .invalid(field: "name", reason: "A project's name has 1 to 100 characters.")
    }
    try checkControls("A project's name", name)
    return name
  }

  static func checkedTimeZone(_ name: String) throws(CatalogError) -> String {
    guard name == "UTC" || TimeZone(identifier: name)?.identifier == name else {
      throw .invalid(
        field: "timeZone",
        reason:
          "“\(name.prefix(100))” is not a time zone that this machine knows; one is written Europe/Berlin."
      )
    }
    return name
  }

  /// Time zones to choose from, in alphabetical order; others that the machine knows are taken too.
  ///
  /// Foundation's list has old names for some, so their present ones are added.
  public static let timeZoneNames: [String] = {
    let present = [
      "Africa/Asmara", "America/Nuuk", "Asia/Ho_Chi_Minh", "Asia/Kathmandu", "Asia/Kolkata",
      "Asia/Yangon", "Atlantic/Faroe", "Europe/Kyiv", "Pacific/Chuuk", "Pacific/Pohnpei",
    ].filter { TimeZone(identifier: $0)?.identifier == $0 }
    return Set(TimeZone.knownTimeZoneIdentifiers + present + ["UTC"]).sorted()
  }()

  private static let projectColumns =
    "SELECT id, name, time_zone, created_at, week_start, currency, revenue_formula, rates FROM projects"

  private static func project(_ row: SQLRow) -> Project {
    Project(
      id: row.project(0),
      name: row.text(1),
      timeZone: row.text(2),
      reckoning: Reckoning(
        weekStart: Reckoning.Weekday(rawValue: row.text(4)) ?? .monday,
        currency: row.optionalText(5),
        formula: Reckoning.Formula(rawValue: row.text(6)) ?? .amount,
        rates: ExchangeRates(stored: row.text(7))
      ),
      createdAtMs: row.integer(3)
    )
  }
}
