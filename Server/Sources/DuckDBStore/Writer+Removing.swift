import EventStore

extension Writer {
  /// Removes some of the expired events.
  ///
  /// Their keys stay in memory: what is sent again is refused as if it were still there.
  ///
  /// - Throws: `.engine` when nothing was removed.
  func remove(_ expired: ExpiredEvents, limit: Int) throws(StoreError) -> Int {
    var bindings: [SQLValue] = [.integer(Int64(expired.project)), .time(expired.beforeMs)]
    let condition: String
    if let name = expired.name {
      bindings.append(.text(name))
      condition = " AND name = $3"
    } else if expired.otherNames.isEmpty {
      condition = ""
    } else {
      let places = expired.otherNames.indices.map { "$\($0 + 3)" }.joined(separator: ", ")
      bindings += expired.otherNames.map { .text($0) }
      condition = " AND name NOT IN (\(places))"
    }
    bindings.append(.integer(Int64(limit)))
    sorting = SortingState()
    do throws(StoreError) {
      try connection.run("BEGIN")
      _ = try connection.rows(
        SQL(
          """
          CREATE TEMP TABLE expired AS SELECT rowid AS place, event_key, kind, person,
              is_test, session_id, corrected_at
            FROM events
          WHERE project_id = $1 AND corrected_at < $2\(condition) LIMIT $\(bindings.count)
          """,
          binding: bindings
        )
      )
      // What they said of properties stays known, too, for whoever is worked out anew.
      try connection.run(
        """
        INSERT INTO kept_changes
          SELECT project_id, kind, name, corrected_at, seq, event_key, device_id, user_id, person, ops, groups,
            is_test
          FROM events WHERE rowid IN (SELECT place FROM expired) AND \(PropertyChange.condition)
            AND NOT EXISTS (SELECT 1 FROM kept_changes AS kept WHERE kept.event_key = events.event_key
              AND kept.corrected_at = events.corrected_at)
        """
      )
      let removed = try connection.query(
        SQL("DELETE FROM events WHERE rowid IN (SELECT place FROM expired)")
      ) { $0.rowsChanged }
      // What they told of money goes with them; who somebody is stays known.
      _ = try connection.rows(
        SQL(
          """
          DELETE FROM revenues WHERE project_id = $1 AND corrected_at < $2
            AND event_key IN (SELECT event_key FROM expired)
          """,
          binding: Array(bindings.prefix(2))
        )
      )
      try ActivityParts.forgetExpired(of: expired.project, connection)
      try connection.run("DROP TABLE expired; COMMIT")
      return removed
    } catch {
      connection.rollBack()
      throw error
    }
  }
}
