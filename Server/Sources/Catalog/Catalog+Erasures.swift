/// One erasure as the catalogue keeps it.
public struct ErasureEntry: Sendable, Hashable, Identifiable, Codable {
  /// Random.
  public let id: Int64
  /// The project's number.
  public let project: UInt32
  /// When it was asked for, in milliseconds since 1970.
  public let askedAtMs: Int64
  /// What it concerns, in the form of whoever carries it out.
  public let document: String
  /// How many events were removed when it was carried out.
  public let removed: Int?
  /// When all was done, in milliseconds since 1970; nil until then.
  public let doneAtMs: Int64?
}

extension Catalog {
  /// All erasures, the oldest first; they are kept for ever.
  public func erasures() throws(CatalogError) -> [ErasureEntry] {
    try read { (database) throws(CatalogError) in
      try database.rows(
        """
        SELECT id, project, asked_at, document, removed, done_at FROM erasures
        ORDER BY asked_at, id
        """
      ) { row in
        ErasureEntry(
          id: row.integer(0),
          project: row.project(1),
          askedAtMs: row.integer(2),
          document: row.text(3),
          removed: row.optionalInteger(4).map { Int($0) },
          doneAtMs: row.optionalInteger(5)
        )
      }
    }
  }

  /// Writes down that something is to be erased, before anything is.
  ///
  /// - Throws: `unknownProject`, or what SQLite says.
  public func addErasure(
    id: Int64,
    project: UInt32,
    askedAtMs: Int64,
    document: String,
    summary: String,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      try database.run(
        "INSERT INTO erasures (id, project, asked_at, document) VALUES (?, ?, ?, ?)",
        .integer(id),
        .integer(Int64(project)),
        .integer(askedAtMs),
        .text(document)
      )
      try note("events.erase", project: project, summary, by: actor, in: database)
    }
  }

  /// Changes by when an erasure was asked for, as `addErasure` wrote it down.
  ///
  /// - Throws: What SQLite says.
  public func changeErasure(
    id: Int64,
    project: UInt32,
    askedAtMs: Int64,
    document: String
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        "UPDATE erasures SET asked_at = ?, document = ? WHERE id = ?",
        .integer(askedAtMs),
        .text(document),
        .integer(id)
      )
      try note("events.erase.clock", project: project, "\(id)", by: .server, in: database)
    }
  }

  /// Adds erasures of another copy of the catalogue that this one does not know, as not done.
  ///
  /// - Returns: how many were added.
  /// - Throws: What SQLite says.
  public func addErasures(_ entries: [ErasureEntry]) throws(CatalogError) -> Int {
    try write { (database) throws(CatalogError) in
      var added = 0
      for entry in entries {
        added += try database.run(
          "INSERT OR IGNORE INTO erasures (id, project, asked_at, document) VALUES (?, ?, ?, ?)",
          .integer(entry.id),
          .integer(Int64(entry.project)),
          .integer(entry.askedAtMs),
          .text(entry.document)
        )
      }
      return added
    }
  }

  /// Writes down how many events an erasure removed; kept from the first time.
  ///
  /// - Throws: What SQLite says.
  public func noteErasure(id: Int64, removed: Int) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        "UPDATE erasures SET removed = coalesce(removed, ?) WHERE id = ?",
        .integer(Int64(removed)),
        .integer(id)
      )
    }
  }

  /// Writes down that an erasure is done.
  ///
  /// - Throws: What SQLite says.
  public func finishErasure(id: Int64, atMs: Int64) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        "UPDATE erasures SET done_at = ? WHERE id = ?",
        .integer(atMs),
        .integer(id)
      )
    }
  }
}
