import Catalog
import Wire

extension EndpointTable {
  /// The second version's table, of what is kept of applications.
  static let appsSchema = """
    CREATE TABLE apps (
      app TEXT PRIMARY KEY,
      settings TEXT NOT NULL,
      settings_at INTEGER,
      -- The event stream; without a destination there is none.
      destination TEXT NOT NULL,
      role TEXT NOT NULL,
      stream_at INTEGER NOT NULL,
      stream_by TEXT NOT NULL
    ) STRICT;
    """

  /// Everything that is kept of applications, by their ids.
  func apps() throws(EndpointProblem) -> [String: PinpointAppRecord] {
    let rows: [(app: String, settings: String, record: PinpointAppRecord)]
    do throws(CatalogError) {
      rows = try database.rows(
        "SELECT app, settings, settings_at, destination, role, stream_at, stream_by FROM apps",
        []
      ) { row in
        var record = PinpointAppRecord()
        record.settingsChangedAtMs = row.optionalInteger(2)
        if !row.text(3).isEmpty {
          record.stream = PinpointAppRecord.Stream(
            stream: PinpointEventStream(destination: row.text(3), role: row.text(4)),
            changedAtMs: row.integer(5),
            changedBy: row.text(6)
          )
        }
        return (row.text(0), row.text(1), record)
      }
    } catch {
      throw .failed(error.description)
    }
    var apps: [String: PinpointAppRecord] = [:]
    for row in rows {
      var record = row.record
      do throws(AWSRefusal) {
        record.settings = try Array(row.settings.utf8).withUnsafeBytes { json in
          Result { () throws(AWSRefusal) in try PinpointSettings(json) }
        }.get()
      } catch {
        throw .failed("The stored settings of \(row.app) cannot be read: \(error.message)")
      }
      apps[row.app] = record
    }
    return apps
  }

  func store(_ record: PinpointAppRecord, ofApp app: String) throws(EndpointProblem) {
    try run(
      """
      INSERT OR REPLACE INTO apps
      (app, settings, settings_at, destination, role, stream_at, stream_by)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """,
      .text(app),
      .text(record.settings.json),
      record.settingsChangedAtMs.map { .integer($0) } ?? .null,
      .text(record.stream?.stream.destination ?? ""),
      .text(record.stream?.stream.role ?? ""),
      .integer(record.stream?.changedAtMs ?? 0),
      .text(record.stream?.changedBy ?? "")
    )
  }

  // MARK: Taking attributes away

  private static let page = 500

  /// See `EndpointStore.removals`.
  func removals(
    of attributes: PinpointAttributes,
    app: String,
    after place: String
  ) throws(EndpointProblem) -> (found: [EndpointStore.Removal], next: String?) {
    let isUsers = attributes.kind == .userAttributes
    let rows: [(key: String, id: String, user: String, state: String)]
    do throws(CatalogError) {
      rows = try database.rows(
        isUsers
          ? """
          SELECT user, '', user, attributes FROM endpoint_users
          WHERE app = ? AND user > ? ORDER BY user LIMIT ?
          """
          : """
          SELECT key, id, user, state FROM endpoints
          WHERE app = ? AND key > ? ORDER BY key LIMIT ?
          """,
        [.text(app), .text(place), .integer(Int64(Self.page))]
      ) { ($0.text(0), $0.text(1), $0.text(2), $0.text(3)) }
    } catch {
      throw .failed(error.description)
    }
    var found: [EndpointStore.Removal] = []
    for row in rows {
      let names = attributes.names(of: try Self.state(row.state))
      guard !names.isEmpty else { continue }
      found.append(EndpointStore.Removal(endpoint: row.id, user: row.user, names: names))
    }
    return (found, rows.count < Self.page ? nil : rows.last?.key)
  }

  /// Takes names away; returns the ids of all endpoints of which something else is known now.
  func remove(
    _ attributes: PinpointAttributes,
    from found: [EndpointStore.Removal],
    app: String
  ) throws(EndpointProblem) -> [String] {
    var problem: EndpointProblem?
    do throws(CatalogError) {
      return try database.transaction { () throws(CatalogError) in
        do throws(EndpointProblem) {
          var touched: [String] = []
          for removal in found {
            if attributes.kind == .userAttributes {
              touched += try remove(attributes, fromUser: removal.user, app: app)
            } else if var endpoint = try self.endpoint(app: app, id: removal.endpoint) {
              attributes.remove(from: &endpoint.state)
              try store(endpoint)
              touched.append(endpoint.id)
            }
          }
          return touched
        } catch {
          problem = error
          // Thrown so that nothing of it stays; what it says is not looked at.
          throw CatalogError.busy
        }
      }
    } catch {
      throw problem ?? .failed(error.description)
    }
  }

  private func remove(
    _ attributes: PinpointAttributes,
    fromUser user: String,
    app: String
  ) throws(EndpointProblem) -> [String] {
    var state = PinpointEndpointUpdate()
    state.userAttributes = try userAttributes(app: app, user: user)
    attributes.remove(from: &state)
    try run(
      "UPDATE endpoint_users SET attributes = ? WHERE app = ? AND user = ?",
      .text(state.json),
      .text(app),
      .text(user)
    )
    return try endpoints(app: app, user: user).map(\.id)
  }
}
