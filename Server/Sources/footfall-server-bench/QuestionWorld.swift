import DuckDBStore
import EventRecord
import EventStore
import Foundation

/// The events that questions are measured over: 90 days of 200,000 people, 50 names by Zipf's law, in
/// sessions of ten; made by DuckDB itself, the same every time.
///
/// Of twenty people one has three devices and is signed in on half of the sessions only, so that what was
/// done before belongs to the user by `device_users`; eleven are always signed in and eight never are.
struct QuestionWorld {
  let store: DuckDBEventStore
  let events: Int

  static let people = 200_000
  static let days: Int64 = 90
  static let dayMs: Int64 = 86_400_000
  /// Monday 6 July 2026.
  static let startMs: Int64 = 1_783_296_000_000
  static let endMs = startMs + days * dayMs
  /// The person whose last events are asked for.
  static let somebody = "user-40"

  /// So many events are made by one statement.
  private static let part = 1_000_000
  private static let perSession = 10

  /// Makes them, and has the store sort them.
  func fill() throws {
    try numberPeople()
    var from = 0
    while from < events {
      let to = min(from + Self.part, events)
      try run("INSERT INTO events \(rows(from, to))")
      from = to
    }
    try run(
      """
      INSERT INTO device_users
      SELECT DISTINCT device, 1, device_id, person, user_id, TIMESTAMP_MS '0001-01-01 00:00:00',
        make_timestamp_ms(253402300800000)::TIMESTAMP_MS, NULL::TIMESTAMP_MS, 0
      FROM (
        SELECT events.device_id, people.person AS device, events.user_id, events.person
        FROM events JOIN people ON people.id = events.device_id WHERE user_id IS NOT NULL
      )
      """
    )
    try run(
      """
      INSERT INTO revenues
      SELECT event_key, 1, corrected_at, person, false,
        (CAST(props->>'$.$price' AS DOUBLE) * 1000000)::BIGINT, CAST(props->>'$.$price' AS DOUBLE), 1,
        'USD', props->>'$.$productId', NULL, false
      FROM events WHERE name = 'Event 7'
      """
    )
    // What loading sums up beside the events.
    try run(
      """
      INSERT INTO activity_parts
      SELECT project_id, person, is_test, min(corrected_at), max(corrected_at) FROM events
      GROUP BY project_id, person, is_test, epoch_us(corrected_at::TIMESTAMP) // 900000000
      """
    )
    try run(
      """
      INSERT INTO session_parts
      SELECT project_id, person, is_test, session_id, min(ts), max(ts), NULL, min(corrected_at),
        max(corrected_at), NULL, false, NULL
      FROM events GROUP BY project_id, person, is_test, session_id
      """
    )
    try run("DROP TABLE people")
    store.idle()
    _ = try store.sortNow()
    try run("CHECKPOINT")
  }

  /// The bytes of the file that hold something; what is free is written over before the file grows.
  func bytes() throws -> Int {
    let rows = try store.rows(
      SQL("SELECT used_blocks * block_size FROM pragma_database_size()"),
      cancellation: nil
    )
    return Int(try rows.first?.integer(0) ?? 0)
  }

  /// The numbers of all users and devices, as the loader would give them.
  private func numberPeople() throws {
    try run("CREATE TABLE people (id VARCHAR, person BIGINT)")
    for first in stride(from: 0, to: Self.people, by: 10_000) {
      let rows = (first..<first + 10_000).flatMap { p in
        let devices = p % 20 == 0 ? (0..<3).map { "device-\(p)-\($0)" } : ["device-\(p)"]
        return ["('user-\(p)', \(PersonNumber.user(project: 1, id: "user-\(p)")))"]
          + devices.map { "('\($0)', \(PersonNumber.device(project: 1, id: $0)))" }
      }
      try run("INSERT INTO people VALUES \(rows.joined(separator: ", "))")
    }
  }

  /// Everything as the reference gets it, with the people already found.
  func export(to path: String) throws {
    try run(
      """
      COPY (
        SELECT project_id AS project, name, corrected_at AS ts, person AS uid, user_id, device_id,
          session_id, event_id, props, client,
          CASE WHEN name = 'Event 7' THEN CAST(props->>'$.$price' AS DOUBLE) END AS revenue,
          coalesce(props->>'$.$productId', '') AS product
        FROM person_events
      ) TO '\(path)' (FORMAT parquet)
      """
    )
  }

  private func run(_ text: String) throws {
    _ = try store.rows(SQL(text), cancellation: nil)
  }

  /// Numbers from 0 to 1 and choices that look random, of a number and a salt.
  private func rows(_ from: Int, _ to: Int) -> String {
    let sessions = max(1, events / Self.perSession)
    let span = Self.days * Self.dayMs - 3_600_000
    func unit(_ of: String, _ salt: Int) -> String {
      "((hash(\(of) * 31 + \(salt)) & 16777215)::DOUBLE / 16777216)"
    }
    return """
      SELECT md5('\(Self.startMs)' || i)::UUID, 0, 1, 0, false, 'Event ' || number, moment, moment, moment, i,
        md5('id' || i)::UUID::VARCHAR, device_id, user_id, session_id, props, NULL, NULL, NULL,
        '{"platform":"' || platform || '","app":"4.' || (p % 5) || '.0","os":"' || platform || ' 19.1","model":"model-' || (p % 40) || '"}',
        people.person, 0
      FROM (
        SELECT *, CASE WHEN is_known THEN 'user-' || p END AS user_id,
          '{"screen":"screen-' || floor(pow(31, \(unit("i", 5))))::INTEGER || '","n":' || (i % 1000)
            || CASE WHEN number = 7 THEN ',"$price":' || (1 + i % 50) || '.5,"$currency":"USD","$productId":"product-' || (i % 20) || '"' ELSE '' END
            || ',"plan":"' || CASE WHEN p % 3 = 0 THEN 'pro' ELSE 'free' END || '"}' AS props
        FROM (
          SELECT i, p, s, number,
            make_timestamp_ms(\(Self.startMs) + begun + (i % \(Self.perSession)) * 20000
              + floor(\(unit("i", 4)) * 15000)::BIGINT)::TIMESTAMP_MS AS moment,
            'device-' || p || CASE WHEN p % 20 = 0 THEN '-' || (s % 3) ELSE '' END AS device_id,
            (\(Self.startMs) + begun)::VARCHAR AS session_id,
            CASE WHEN p % 20 = 0 THEN s % 2 = 0 ELSE p % 20 < 12 END AS is_known,
            CASE WHEN p % 3 = 0 THEN 'Android' ELSE 'iOS' END AS platform
          FROM (
            SELECT i, s, floor(pow(51, \(unit("i", 1))))::INTEGER AS number,
              floor(\(Self.people) * pow(\(unit("s", 2)), 1.5))::BIGINT AS p,
              floor(s::DOUBLE / \(sessions) * \(span))::BIGINT + floor(\(unit("s", 3)) * 1800000)::BIGINT AS begun
            FROM (SELECT i, i // \(Self.perSession) AS s FROM range(\(from), \(to)) AS r(i))
          )
        )
      ) AS made JOIN people ON people.id = coalesce(made.user_id, made.device_id)
      """
  }
}
