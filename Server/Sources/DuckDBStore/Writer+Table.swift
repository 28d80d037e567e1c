import EventRecord
import EventStore
import FootfallJournal

extension Writer {
  /// The keys in memory, read from the table where they are not.
  func currentIndex() throws(StoreError) -> KeyIndex {
    if let index { return index }
    let loose = KeySet()
    try connection.query(
      SQL(
        "SELECT event_key FROM events WHERE key_plan = $1",
        binding: [.integer(Int64(KeyPlan.looseNumber))]
      )
    ) { (result) throws(StoreError) in
      try result.forEachChunk { columns, count in
        for row in 0..<count { _ = loose.insert(columns[0].key(at: row)) }
      }
    }
    var times: [UInt8: ClosedRange<Int64>] = [:]
    for row in try connection.rows(
      SQL("SELECT key_plan, min(ts), max(ts) FROM events GROUP BY key_plan")
    ) {
      times[UInt8(clamping: try row.integer(0))] = try row.time(1)...(try row.time(2))
    }
    // What an earlier failure left half full must not reach the table.
    chunk.reset()
    let made = KeyIndex(loose: loose, storedTimes: times)
    index = made
    return made
  }

  /// Reads keys of one plan with own times in ranges, which ascend.
  ///
  /// Where rows lie sorted by person, a statement reads its months whole: ranges that lie within a month of
  /// one another are read by one.
  func loadKeys(
    _ plan: UInt8,
    _ ownMs: [ClosedRange<Int64>],
    _ each: (EventKey, Int64) -> Void
  ) throws(StoreError) {
    var near: [ClosedRange<Int64>] = []
    for range in ownMs {
      if let last = near.last, range.lowerBound - last.upperBound > 31 * KeyPlan.dayMs {
        try readKeys(plan, near, each)
        near = []
      }
      near.append(range)
    }
    try readKeys(plan, near, each)
  }

  private func readKeys(
    _ plan: UInt8,
    _ ownMs: [ClosedRange<Int64>],
    _ each: (EventKey, Int64) -> Void
  ) throws(StoreError) {
    guard let first = ownMs.first, let last = ownMs.last else { return }
    // The whole span first: it is what stretches of the table are skipped by.
    var text = "SELECT event_key, ts FROM events WHERE key_plan = $1 AND ts BETWEEN $2 AND $3"
    var bindings: [SQLValue] = [
      .integer(Int64(plan)), .time(first.lowerBound), .time(last.upperBound),
    ]
    if ownMs.count > 1 {
      let parts = ownMs.indices.map { "ts BETWEEN $\(2 * $0 + 4) AND $\(2 * $0 + 5)" }
      text += " AND (\(parts.joined(separator: " OR ")))"
      bindings += ownMs.flatMap { [.time($0.lowerBound), .time($0.upperBound)] }
    }
    try connection.query(SQL(text, binding: bindings)) { (result) throws(StoreError) in
      try result.forEachChunk { columns, count in
        for row in 0..<count { each(columns[0].key(at: row), columns[1].time(at: row)) }
      }
    }
  }

  /// Reads when some keys of Amplitude's were stored with own times in a range.
  func loadTimes(
    _ keys: Set<EventKey>,
    _ ownMs: ClosedRange<Int64>,
    _ each: (EventKey, Int64) -> Void
  ) throws(StoreError) {
    let places = (0..<keys.count).map { "$\($0 + 4)" }.joined(separator: ", ")
    try connection.query(
      SQL(
        """
        SELECT event_key, ts FROM events
        WHERE key_plan = $1 AND ts BETWEEN $2 AND $3 AND event_key IN (\(places))
        """,
        binding: [
          .integer(Int64(KeyPlan.windowedNumber)), .time(ownMs.lowerBound),
          .time(ownMs.upperBound),
        ] + keys.map { .key($0) }
      )
    ) { (result) throws(StoreError) in
      try result.forEachChunk { columns, count in
        for row in 0..<count { each(columns[0].key(at: row), columns[1].time(at: row)) }
      }
    }
  }

  /// Up to where each log has been loaded.
  func currentPositions() throws(StoreError) -> [JournalID: JournalPosition] {
    if let positions { return positions }
    let read = try connection.loadPositions()
    positions = read
    return read
  }

  /// Writes the batch's end as its log's position.
  func setPosition(_ batch: LoadBatch, isNew: Bool) throws(StoreError) {
    let text =
      isNew
      ? "INSERT INTO load_positions (segment, byte_offset, log_id) VALUES ($1, $2, $3)"
      : "UPDATE load_positions SET segment = $1, byte_offset = $2 WHERE log_id = $3"
    _ = try connection.rows(
      SQL(
        text,
        binding: [
          .integer(Int64(clamping: batch.end.segment)), .integer(Int64(clamping: batch.end.offset)),
          .text(batch.log.description),
        ]
      )
    )
  }
}
