import FootfallCore
import FootfallEngine
import FootfallPlatform

/// The rows of the older client's database that hold events.
final class AmplitudeLegacyPlace: EarlierPlace {
  /// The tables of what waited to be sent.
  static let queues = ["events", "identifys"]
  /// The table of what was held.
  private static let held = "intercepted_identifys"

  private let path: String
  private let sqlite: SQLite
  private let world: EarlierWorld
  /// Up to which row each table was read.
  private var lastRows: [String: Int64] = [:]

  init(path: String, sqlite: SQLite, world: EarlierWorld) {
    self.path = path
    self.sqlite = sqlite
    self.world = world
  }

  var name: String { "an earlier client's database" }

  func read() throws(EarlierFailure) -> EarlierEvents {
    try inDatabase { database throws(SQLiteFailure) in
      var found = EarlierEvents()
      for table in Self.queues { found.queued += try events(table, database, &found.damaged) }
      // Two tables, but one time.
      found.queued.sort { ($0.milliseconds, $0.sequence) < ($1.milliseconds, $1.sequence) }
      found.held = try events(Self.held, database, &found.damaged)
      return found
    }
  }

  func remove() throws(EarlierFailure) {
    try inDatabase { database throws(SQLiteFailure) in
      for (table, last) in lastRows {
        try database.rows("DELETE FROM \(table) WHERE id <= ?", last)
      }
    }
  }

  private func events(
    _ table: String,
    _ database: SQLiteDatabase,
    _ damaged: inout Int
  ) throws(SQLiteFailure) -> [Event] {
    var events: [Event] = []
    for row in try database.rows("SELECT id, event FROM \(table) ORDER BY id") {
      guard case .integer(let number) = row[0] else { continue }
      lastRows[table] = number
      guard case .text(let text) = row[1],
        var event = AmplitudeLegacyEvent.read(text, row: number)
      else {
        damaged += 1
        continue
      }
      event.complete(as: "\(table)-\(number)", milliseconds: world.milliseconds)
      events.append(event)
    }
    return events
  }

  private func inDatabase<Result>(
    _ action: (SQLiteDatabase) throws(SQLiteFailure) -> Result
  ) throws(EarlierFailure) -> Result {
    do throws(SQLiteFailure) { return try action(try sqlite.open(path)) } catch {
      throw EarlierFailure("\(error)")
    }
  }
}
