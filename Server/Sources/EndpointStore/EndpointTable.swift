import Catalog
import Foundation
import Wire

/// The tables of endpoints and their users, for one thread at a time.
final class EndpointTable {
  let database: Database

  private static let format = 2
  private static let schema = """
    CREATE TABLE endpoints (
      app TEXT NOT NULL,
      -- The id in small letters, and as it was first spelled.
      key TEXT NOT NULL,
      id TEXT NOT NULL,
      user TEXT NOT NULL,
      channel TEXT NOT NULL,
      address TEXT NOT NULL,
      is_active INTEGER NOT NULL,
      -- All that is known of it, in Pinpoint's JSON, but for the user's attributes.
      state TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      PRIMARY KEY (app, key)
    ) STRICT;
    CREATE INDEX endpoints_by_user ON endpoints (app, user) WHERE user <> '';
    CREATE INDEX endpoints_by_address ON endpoints (app, channel, address) WHERE address <> '';

    CREATE TABLE endpoint_users (
      app TEXT NOT NULL,
      user TEXT NOT NULL,
      attributes TEXT NOT NULL,
      PRIMARY KEY (app, user)
    ) STRICT;
    """

  init(path: String) throws(EndpointProblem) {
    database = try Self.open(path)
  }

  private static func open(_ path: String) throws(EndpointProblem) -> Database {
    do throws(CatalogError) {
      let database = try Database(path: path, busyMs: 5_000)
      chmod(path, 0o600)
      _ = try database.rows("PRAGMA journal_mode = WAL", []) { $0.text(0) }
      let found = try database.rows("PRAGMA user_version", []) { $0.integer(0) }.first ?? 0
      guard found <= format else {
        throw .newerFormat(found: Int(found), supported: format, needs: "(not named)")
      }
      if found < format {
        try database.transaction { () throws(CatalogError) in
          if found == 0 { try database.script(schema) }
          try database.script(appsSchema)
          try database.script("PRAGMA user_version = \(format)")
        }
      }
      return database
    } catch {
      throw .failed(error.description)
    }
  }

  /// Empties the log beside the file.
  func close() { database.emptyWriteAheadLog() }

  /// Sees that what was taken away is nowhere in the files any more.
  func leaveNothing() throws(EndpointProblem) {
    do throws(CatalogError) { try database.leaveNothing() } catch {
      throw .failed(error.description)
    }
  }

  // MARK: Changing

  /// The endpoints that were asked for, and the ids of all that changed.
  struct Changed {
    var endpoints: [PinpointEndpoint] = []
    var touched: [String] = []
  }

  /// Takes what a request says, of all endpoints or of none.
  func update(
    app: String,
    _ items: [PinpointEndpointUpdate.Item],
    nowMs: Int64
  ) throws(EndpointProblem) -> Changed {
    var problem: EndpointProblem?
    do throws(CatalogError) {
      return try database.transaction { () throws(CatalogError) in
        var changed = Changed()
        do throws(EndpointProblem) {
          for item in items { try update(app: app, item, nowMs: nowMs, &changed) }
        } catch {
          problem = error
          // Thrown so that nothing of it stays; what it says is not looked at.
          throw CatalogError.busy
        }
        return changed
      }
    } catch {
      throw problem ?? .failed(error.description)
    }
  }

  /// An endpoint that came with events, and what it says, if that can be read.
  typealias Item = (id: String, update: Result<PinpointEndpointUpdate, AWSRefusal>)

  /// What became of endpoints, and for each the ids of all that changed by it.
  struct Results {
    var endpoints: [Result<PinpointEndpoint, EndpointProblem>] = []
    var touched: [[String]] = []
  }

  /// Takes what a request says of endpoints, each by itself, in one transaction.
  func updateEach(app: String, _ items: [Item], nowMs: Int64) -> Results {
    do throws(CatalogError) {
      return try database.transaction { () throws(CatalogError) in
        var results = Results()
        for item in items {
          var changed = Changed()
          do throws(EndpointProblem) {
            try update(app: app, (item.id, try Self.read(item)), nowMs: nowMs, &changed)
            guard let made = changed.endpoints.first else { throw .failed("It is gone.") }
            results.endpoints.append(.success(made))
          } catch {
            // A refusal comes before anything of its endpoint is stored; a failure may come after.
            guard case .refused = error else { throw CatalogError.busy }
            results.endpoints.append(.failure(error))
          }
          results.touched.append(changed.touched)
        }
        return results
      }
    } catch {
      let problem = EndpointProblem.failed(error.description)
      return Results(
        endpoints: items.map { _ in .failure(problem) },
        touched: items.map { _ in [] }
      )
    }
  }

  private static func read(_ item: Item) throws(EndpointProblem) -> PinpointEndpointUpdate {
    switch item.update {
    case .success(let update): return update
    case .failure(let refusal): throw .refused(refusal)
    }
  }

  private func update(
    app: String,
    _ item: PinpointEndpointUpdate.Item,
    nowMs: Int64,
    _ changed: inout Changed
  ) throws(EndpointProblem) {
    let found = try endpoint(app: app, id: item.id)
    let before = found ?? PinpointEndpoint(id: item.id, app: app, createdAtMs: nowMs)
    let change = try EndpointRules.apply(
      item.update,
      to: before,
      sharingAddress: { (made) throws(EndpointProblem) in try others(sharingAddressOf: made) },
      ofUser: { (made) throws(EndpointProblem) in
        try endpoints(app: app, user: made.state.userID).filter {
          $0.id.lowercased() != made.id.lowercased()
        }
      }
    )
    guard change.endpoint.state.json.utf8.count <= PinpointLimits.endpointBytes else {
      throw .refused(
        .badRequest("The endpoint would be larger than \(PinpointLimits.endpointBytes) bytes.")
      )
    }
    if found != change.endpoint { try store(change.endpoint) }
    for other in change.others { try store(other) }
    changed.touched += change.others.map(\.id)
    let user = change.endpoint.state.userID
    if !item.update.userAttributes.isEmpty {
      try share(item.update.userAttributes, app: app, user: user)
      changed.touched += try endpoints(app: app, user: user).map(\.id)
    }
    changed.touched.append(change.endpoint.id)
    if let made = try endpoint(app: app, id: item.id) { changed.endpoints.append(made) }
  }

  /// Gives attributes to a user, and so to all their endpoints.
  private func share(
    _ attributes: [String: [String]],
    app: String,
    user: String
  ) throws(EndpointProblem) {
    var state = PinpointEndpointUpdate()
    state.userAttributes = PinpointEndpoint.merged(
      try userAttributes(app: app, user: user),
      attributes
    )
    try run(
      "INSERT OR REPLACE INTO endpoint_users (app, user, attributes) VALUES (?, ?, ?)",
      .text(app),
      .text(user),
      .text(state.json)
    )
  }

  func store(_ endpoint: PinpointEndpoint) throws(EndpointProblem) {
    var state = endpoint.state
    state.userAttributes = [:]
    try run(
      """
      INSERT OR REPLACE INTO endpoints
      (app, key, id, user, channel, address, is_active, state, created_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .text(endpoint.app),
      .text(endpoint.id.lowercased()),
      .text(endpoint.id),
      .text(state.userID),
      .text(state.texts["ChannelType"] ?? ""),
      .text(state.texts["Address"] ?? ""),
      .integer(endpoint.isActive ? 1 : 0),
      .text(state.json),
      .integer(endpoint.createdAtMs)
    )
  }

  /// Takes endpoints away; a user without any is forgotten.
  func remove(_ endpoints: [PinpointEndpoint]) throws(EndpointProblem) {
    guard !endpoints.isEmpty else { return }
    do throws(CatalogError) {
      try database.transaction { () throws(CatalogError) in
        for endpoint in endpoints {
          try database.run(
            "DELETE FROM endpoints WHERE app = ? AND key = ?",
            [.text(endpoint.app), .text(endpoint.id.lowercased())]
          )
          try database.run(
            """
            DELETE FROM endpoint_users WHERE app = ?1 AND user = ?2
            AND NOT EXISTS (SELECT 1 FROM endpoints WHERE app = ?1 AND user = ?2)
            """,
            [.text(endpoint.app), .text(endpoint.state.userID)]
          )
        }
      }
    } catch {
      throw .failed(error.description)
    }
  }

  // MARK: Reading

  func endpoint(app: String, id: String) throws(EndpointProblem) -> PinpointEndpoint? {
    try endpoints("app = ? AND key = ?", .text(app), .text(id.lowercased())).first
  }

  func endpoints(app: String) throws(EndpointProblem) -> [PinpointEndpoint] {
    try endpoints("app = ?", .text(app))
  }

  func endpoints(app: String, user: String) throws(EndpointProblem) -> [PinpointEndpoint] {
    guard !user.isEmpty else { return [] }
    return try endpoints("app = ? AND user = ? AND user <> ''", .text(app), .text(user))
  }

  private func others(
    sharingAddressOf endpoint: PinpointEndpoint
  ) throws(EndpointProblem) -> [PinpointEndpoint] {
    try endpoints(
      "app = ? AND channel = ? AND address = ? AND address <> '' AND is_active = 1 AND key <> ?",
      .text(endpoint.app),
      .text(endpoint.state.texts["ChannelType"] ?? ""),
      .text(endpoint.state.texts["Address"] ?? ""),
      .text(endpoint.id.lowercased())
    )
  }

  private func endpoints(
    _ condition: String,
    _ values: SQLValue...
  ) throws(EndpointProblem) -> [PinpointEndpoint] {
    let rows: [(id: String, app: String, state: String, createdAtMs: Int64)]
    do throws(CatalogError) {
      rows = try database.rows(
        "SELECT id, app, state, created_at FROM endpoints WHERE \(condition) ORDER BY key",
        values
      ) { ($0.text(0), $0.text(1), $0.text(2), $0.integer(3)) }
    } catch {
      throw .failed(error.description)
    }
    var endpoints: [PinpointEndpoint] = []
    for row in rows {
      var endpoint = PinpointEndpoint(id: row.id, app: row.app, createdAtMs: row.createdAtMs)
      endpoint.state = try Self.state(row.state)
      endpoint.state.userAttributes = try userAttributes(
        app: row.app,
        user: endpoint.state.userID
      )
      endpoints.append(endpoint)
    }
    return endpoints
  }

  func userAttributes(
    app: String,
    user: String
  ) throws(EndpointProblem) -> [String: [String]] {
    guard !user.isEmpty else { return [:] }
    let rows: [String]
    do throws(CatalogError) {
      rows = try database.rows(
        "SELECT attributes FROM endpoint_users WHERE app = ? AND user = ?",
        [.text(app), .text(user)]
      ) { $0.text(0) }
    } catch {
      throw .failed(error.description)
    }
    return try rows.first.map(Self.state)?.userAttributes ?? [:]
  }

  static func state(_ json: String) throws(EndpointProblem) -> PinpointEndpointUpdate {
    do throws(AWSRefusal) {
      return try PinpointEndpointUpdate(stored: json)
    } catch {
      throw .failed("A stored endpoint cannot be read: \(error.message)")
    }
  }

  func run(_ sql: String, _ values: SQLValue...) throws(EndpointProblem) {
    do throws(CatalogError) { _ = try database.run(sql, values) } catch {
      throw .failed(error.description)
    }
  }
}
