extension Catalog {
  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - name: 1 to 128 letters, digits, `_`, `.` and `-`; up to 64 for Firehose.
  ///   - kind: The service whose clients know it.
  ///   - project: The project that gets its events.
  ///   - shards: 1 to 1,000; 1 for Firehose.
  ///   - recordsPerSecond: Records that a shard takes in a second; 0 for any number.
  ///   - bytesPerSecond: Bytes that a shard takes in a second; 0 for any number.
  ///   - actor: Who makes it.
  /// - Returns: The stream, into which records may be put at once.
  /// - Throws: `unknownProject`; `streamInUse` when the project has one of this name; `invalid`.
  @discardableResult
  public func createStream(
    _ name: String,
    kind: RecordStream.Kind,
    project: UInt32,
    shards: Int = 1,
    recordsPerSecond: Int = 0,
    bytesPerSecond: Int = 0,
    by actor: Actor = .server
  ) throws(CatalogError) -> RecordStream {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    guard isPlain, (1...kind.maxNameLength).contains(name.utf8.count) else {
      throw .invalid(
        field: "name",
        reason:
          "“\(name)” is no stream's name, which has 1 to \(kind.maxNameLength) letters, digits, "
          + "_, . and -."
      )
    }
    let most = kind == .kinesis ? 1_000 : 1
    guard (1...most).contains(shards) else {
      throw .invalid(
        field: "shards",
        reason: "A \(kind.rawValue) stream has 1 to \(most) shards, not \(shards)."
      )
    }
    guard recordsPerSecond >= 0, bytesPerSecond >= 0 else {
      throw .invalid(field: "limit", reason: "A stream's limits are 0, for none, or more.")
    }
    let now = clock.nowMs()
    return try write { (database) throws(CatalogError) in
      guard
        try !Self.streams(database).contains(where: {
          $0.project == project && $0.kind == kind && $0.name == name
        })
      else { throw CatalogError.streamInUse(name) }
      let known = try database.rows(
        "SELECT 1 FROM projects WHERE id = ?",
        .integer(Int64(project))
      ) { _ in true }
      guard !known.isEmpty else { throw CatalogError.unknownProject(project) }
      try database.run(
        """
        INSERT INTO streams
          (project, kind, name, shards, records_per_second, bytes_per_second, created_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        .integer(Int64(project)),
        .text(kind.rawValue),
        .text(name),
        .integer(Int64(shards)),
        .integer(Int64(recordsPerSecond)),
        .integer(Int64(bytesPerSecond)),
        .integer(now)
      )
      let id = database.lastRow
      try note(
        "stream.create",
        project: project,
        "\(kind.rawValue) stream \(name)",
        by: actor,
        in: database
      )
      return RecordStream(
        id: id,
        project: project,
        kind: kind,
        name: name,
        shards: shards,
        recordsPerSecond: recordsPerSecond,
        bytesPerSecond: bytesPerSecond,
        createdAtMs: now
      )
    }
  }

  /// Takes a stream away: nothing is put into it or read from it any more; its events stay.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - kind: The service whose clients know it.
  ///   - project: The project that has it.
  ///   - actor: Who takes it away.
  /// - Throws: `unknownStream` when the project has none of this name and kind.
  public func deleteStream(
    _ name: String,
    kind: RecordStream.Kind,
    project: UInt32,
    by actor: Actor = .server
  ) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      let changed = try database.run(
        "DELETE FROM streams WHERE project = ? AND kind = ? AND name = ?",
        .integer(Int64(project)),
        .text(kind.rawValue),
        .text(name)
      )
      guard changed > 0 else { throw CatalogError.unknownStream(name) }
      try note(
        "stream.delete",
        project: project,
        "\(kind.rawValue) stream \(name)",
        by: actor,
        in: database
      )
    }
  }

  /// The streams of a project, by kind and name.
  public func streams(project: UInt32) throws(CatalogError) -> [RecordStream] {
    try read { (database) throws(CatalogError) in try Self.streams(database) }
      .filter { $0.project == project }
  }

  /// The stream of this name, from memory; as for `resolve(ingestKey:)`.
  public func stream(_ name: String, kind: RecordStream.Kind, project: UInt32) -> RecordStream? {
    currentKeys().streams.stream(name, kind, project: project)
  }

  /// The stream with this number, from memory; as for `resolve(ingestKey:)`.
  public func stream(_ id: Int64) -> RecordStream? { currentKeys().streams[id] }

  static func streams(_ database: Database) throws(CatalogError) -> [RecordStream] {
    try database.rows(
      """
      SELECT id, project, kind, name, shards, records_per_second, bytes_per_second, created_at
      FROM streams ORDER BY kind DESC, name
      """
    ) { row in
      RecordStream(
        id: row.integer(0),
        project: row.project(1),
        // A kind this program does not know can only come from a newer format, which is refused.
        kind: RecordStream.Kind(rawValue: row.text(2)) ?? .kinesis,
        name: row.text(3),
        shards: Int(row.integer(4)),
        recordsPerSecond: Int(row.integer(5)),
        bytesPerSecond: Int(row.integer(6)),
        createdAtMs: row.integer(7)
      )
    }
  }
}
