package import FootfallEngine
package import FootfallOutbox
package import FootfallPlatform
import FootfallSystem

/// The database of the vendor's older client, which was written in Objective-C.
///
/// Five tables: `events`, `identifys` and `intercepted_identifys` hold JSON by row, `store` and
/// `long_store` values by key. Source: `amplitude.md` section 2.11, migrations.
package struct AmplitudeLegacyDatabase: Sendable {
  private let path: String
  private let sqlite: SQLite

  /// The database of an instance in the folder that holds all of them.
  ///
  /// - Parameters:
  ///   - folder: The app's Library; its Caches on tvOS.
  ///   - instance: The instance's name; empty or `$default_instance` for the usual one.
  ///   - sqlite: What reads it.
  package init(folder: String, instance: String = "", sqlite: SQLite = SQLite()) {
    let name = instance.lowercased()
    let isUsual = name.isEmpty || name == "$default_instance"
    path = folder + "/com.amplitude.database" + (isUsual ? "" : "_\(name)")
    self.sqlite = sqlite
  }
}

extension AmplitudeLegacyDatabase: EarlierFormat {
  package func state(in world: EarlierWorld) -> ClientState? {
    guard world.files.exists(path) else { return nil }
    do throws(SQLiteFailure) {
      let database = try sqlite.open(path)
      let texts = try Self.values(database.rows("SELECT key, value FROM store"))
      let numbers = try Self.values(database.rows("SELECT key, value FROM long_store"))
      var lastIDs: [Int64] = []
      for table in AmplitudeLegacyPlace.queues {
        let rows = try database.rows("SELECT max(id) FROM \(table)")
        lastIDs += rows.compactMap { $0[0].number }
      }
      return AmplitudeEarlierState(
        deviceID: texts["device_id"]?.text,
        userID: texts["user_id"]?.text,
        sessionID: numbers["previous_session_id"]?.number,
        lastEventTime: numbers["previous_session_time"]?.number,
        lastEventID: lastIDs.max()
      ).clientState
    } catch {
      world.log.warning("The state in an earlier client's database cannot be read: \(error)")
      return nil
    }
  }

  package func places(in world: EarlierWorld) -> [any EarlierPlace] {
    world.files.exists(path) ? [AmplitudeLegacyPlace(path: path, sqlite: sqlite, world: world)] : []
  }

  /// The file stays: what was in it is gone, and other clients of the app may use it.
  package func finish(in world: EarlierWorld) {}

  private static func values(_ rows: [[SQLiteDatabase.Value]]) -> [String: SQLiteDatabase.Value] {
    rows.reduce(into: [:]) { values, row in
      if case .text(let key) = row[0] { values[key] = row[1] }
    }
  }
}

extension SQLiteDatabase.Value {
  fileprivate var text: String? {
    if case .text(let text) = self, !text.isEmpty { text } else { nil }
  }

  fileprivate var number: Int64? {
    if case .integer(let number) = self, number >= 0 { number } else { nil }
  }
}
