import Foundation

extension Catalog {
  /// The most segments and, apart from them, lists of a project.
  public static let maxSegments = 1_000
  /// The most users and devices on a list.
  public static let maxListMembers = 1_000_000
  /// The most lines of a list that could not be read and are told one by one.
  public static let maxListFailures = 100

  // MARK: Segments

  /// A project's segments by their names.
  public func segments(project: UInt32) throws(CatalogError) -> [SavedSegment] {
    try read { (database) throws(CatalogError) in
      try Self.segments(in: database, "project = ? ORDER BY name, id", .integer(Int64(project)))
    }
  }

  /// A segment of a project; nil when there is none of that number.
  public func segment(_ id: Int64, project: UInt32) throws(CatalogError) -> SavedSegment? {
    try read { (database) throws(CatalogError) in
      try Self.segments(
        in: database,
        "project = ? AND id = ?",
        .integer(Int64(project)),
        .integer(id)
      ).first
    }
  }

  /// Keeps a segment.
  ///
  /// - Throws: `unknownProject`; `invalid` for a name that is empty, too long or taken.
  public func addSegment(
    name: String,
    definition: String,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> SavedSegment {
    let name = try Self.segmentName(name)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      let others = try Self.segments(in: database, "project = ?", .integer(Int64(project)))
      try Self.check(name, others.map { ($0.id, $0.name) }, what: "segment")
      try database.run(
        """
        INSERT INTO segments (project, name, definition, created_at, changed_at)
        VALUES (?, ?, ?, ?, ?)
        """,
        .integer(Int64(project)),
        .text(name),
        .text(definition),
        .integer(now),
        .integer(now)
      )
      let id = database.lastRow
      try note(
        "segment.create",
        project: project,
        "segment \(id), \(name)",
        by: actor,
        in: database
      )
      return SavedSegment(
        id: id,
        project: project,
        name: name,
        definition: definition,
        createdAtMs: now,
        changedAtMs: now
      )
    }
  }

  /// Changes a segment; questions that use it mean the new one from now on.
  ///
  /// - Throws: `unknownSegment`; `invalid` for a name that is empty, too long or taken.
  public func changeSegment(
    _ id: Int64,
    name: String,
    definition: String,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> SavedSegment {
    let name = try Self.segmentName(name)
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      let others = try Self.segments(in: database, "project = ?", .integer(Int64(project)))
      guard var segment = others.first(where: { $0.id == id }) else { throw .unknownSegment(id) }
      try Self.check(name, others.map { ($0.id, $0.name) }, what: "segment", except: id)
      try database.run(
        "UPDATE segments SET name = ?, definition = ?, changed_at = ? WHERE id = ?",
        .text(name),
        .text(definition),
        .integer(now),
        .integer(id)
      )
      try note(
        "segment.change",
        project: project,
        "segment \(id), \(name)",
        by: actor,
        in: database
      )
      segment.name = name
      segment.definition = definition
      segment.changedAtMs = now
      return segment
    }
  }

  /// Removes a segment; whoever calls has asked what uses it.
  ///
  /// - Throws: `unknownSegment`.
  public func removeSegment(
    _ id: Int64,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let removed = try database.run(
        "DELETE FROM segments WHERE id = ? AND project = ?",
        .integer(id),
        .integer(Int64(project))
      )
      guard removed > 0 else { throw .unknownSegment(id) }
      try note("segment.remove", project: project, "segment \(id)", by: actor, in: database)
    }
  }

  // MARK: Lists

  /// A project's lists by their names.
  public func lists(project: UInt32) throws(CatalogError) -> [SavedList] {
    try read { (database) throws(CatalogError) in
      try Self.lists(in: database, "project = ? ORDER BY name, id", .integer(Int64(project)))
    }
  }

  /// A list of a project; nil when there is none of that number.
  public func list(_ id: Int64, project: UInt32) throws(CatalogError) -> SavedList? {
    try read { (database) throws(CatalogError) in
      try Self.lists(
        in: database,
        "project = ? AND id = ?",
        .integer(Int64(project)),
        .integer(id)
      ).first
    }
  }

  /// Who is on a list, as numbers; nil when there is none of that number.
  public func members(ofList id: Int64, project: UInt32) throws(CatalogError) -> [Int64]? {
    let found = try read { (database) throws(CatalogError) in
      try database.rows(
        "SELECT members FROM people_lists WHERE project = ? AND id = ?",
        .integer(Int64(project)),
        .integer(id)
      ) { $0.bytes(0) }
    }
    return found.first.map { bytes in
      bytes.withUnsafeBytes { buffer in
        stride(from: 0, to: buffer.count - 7, by: 8).map {
          Int64(littleEndian: buffer.loadUnaligned(fromByteOffset: $0, as: Int64.self))
        }
      }
    }
  }

  /// Keeps a list.
  ///
  /// - Parameters:
  ///   - name: what it is called; 1 to 100 characters, of which the project has no other list.
  ///   - members: the numbers of users and devices; each counts once.
  ///   - count: how many the list is said to have, where a line has both a user and a device.
  ///   - failed: how many lines could not be read.
  ///   - failures: those of them that are told; the first 100 are kept.
  ///   - project: the project's number.
  ///   - actor: who imports it.
  /// - Returns: the list as it is kept.
  /// - Throws: `unknownProject`; `invalid` for a name that is empty, too long or taken, or too many
  ///   members.
  public func addList(
    name: String,
    members: some Collection<Int64>,
    count: Int? = nil,
    failed: Int = 0,
    failures: [SavedList.Failure] = [],
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) -> SavedList {
    let name = try Self.segmentName(name)
    let numbers = Set(members).sorted()
    guard numbers.count <= Self.maxListMembers else {
      throw .invalid(
        field: "file",
        reason:
          "A list has at most \(Self.maxListMembers) users and devices; this one has \(numbers.count)."
      )
    }
    let told = Array(failures.prefix(Self.maxListFailures))
    let bytes = numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      try Self.requireProject(project, in: database)
      let others = try Self.lists(in: database, "project = ?", .integer(Int64(project)))
      try Self.check(name, others.map { ($0.id, $0.name) }, what: "list")
      try database.run(
        """
        INSERT INTO people_lists (project, name, members, member_count, failed, failures, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(Int64(project)),
        .text(name),
        .bytes(bytes),
        .integer(Int64(count ?? numbers.count)),
        .integer(Int64(failed)),
        .text(Self.text(of: told)),
        .integer(now)
      )
      let id = database.lastRow
      try note(
        "list.import",
        project: project,
        "list \(id), \(name): \(count ?? numbers.count) members, \(failed) lines refused",
        by: actor,
        in: database
      )
      return SavedList(
        id: id,
        project: project,
        name: name,
        count: count ?? numbers.count,
        failed: failed,
        failures: told,
        createdAtMs: now
      )
    }
  }

  /// Removes a list; whoever calls has asked what uses it.
  ///
  /// - Throws: `unknownList`.
  public func removeList(
    _ id: Int64,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let removed = try database.run(
        "DELETE FROM people_lists WHERE id = ? AND project = ?",
        .integer(id),
        .integer(Int64(project))
      )
      guard removed > 0 else { throw .unknownList(id) }
      try note("list.remove", project: project, "list \(id)", by: actor, in: database)
    }
  }

  // MARK: Parts

  private static func segmentName(_ name: String) throws(CatalogError) -> String {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (1...100).contains(name.unicodeScalars.count) else {
      throw .invalid(field: "name", reason: "A name has 1 to 100 characters.")
    }
    return name
  }

  private static func check(
    _ name: String,
    _ others: [(id: Int64, name: String)],
    what: String,
    except id: Int64? = nil
  ) throws(CatalogError) {
    if others.contains(where: { $0.name == name && $0.id != id }) {
      throw .invalid(field: "name", reason: "There is a \(what) of this name already.")
    }
    guard id != nil || others.count < maxSegments else {
      throw .invalid(
        field: "name",
        reason: "A project has at most \(maxSegments) \(what)s; remove one first."
      )
    }
  }

  private static func segments(
    in database: Database,
    _ condition: String,
    _ values: SQLValue...
  ) throws(CatalogError) -> [SavedSegment] {
    try database.rows(
      """
      SELECT id, project, name, definition, created_at, changed_at FROM segments
      WHERE \(condition)
      """,
      values
    ) { row in
      SavedSegment(
        id: row.integer(0),
        project: row.project(1),
        name: row.text(2),
        definition: row.text(3),
        createdAtMs: row.integer(4),
        changedAtMs: row.integer(5)
      )
    }
  }

  private static func lists(
    in database: Database,
    _ condition: String,
    _ values: SQLValue...
  ) throws(CatalogError) -> [SavedList] {
    try database.rows(
      """
      SELECT id, project, name, member_count, failed, failures, created_at FROM people_lists
      WHERE \(condition)
      """,
      values
    ) { row in
      SavedList(
        id: row.integer(0),
        project: row.project(1),
        name: row.text(2),
        count: Int(row.integer(3)),
        failed: Int(row.integer(4)),
        failures: failures(in: row.text(5)),
        createdAtMs: row.integer(6)
      )
    }
  }

  private static func text(of failures: [SavedList.Failure]) -> String {
    do {
      return String(decoding: try JSONEncoder().encode(failures), as: UTF8.self)
    } catch {
      // Numbers and texts can always be written.
      return "[]"
    }
  }

  private static func failures(in text: String) -> [SavedList.Failure] {
    do {
      return try JSONDecoder().decode([SavedList.Failure].self, from: Data(text.utf8))
    } catch {
      // How many failed is kept beside it; which ones is lost with a damaged text.
      return []
    }
  }
}
