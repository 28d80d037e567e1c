import Catalog
import FootfallSystem
public import Wire

/// The endpoints of Pinpoint applications, and what their users have in common, in one SQLite file.
///
/// What it says is on disk when a call returns. Any thread; every call waits for the disk, except for
/// `verdicts` on endpoints that say the same again.
public final class EndpointStore: Sendable {
  let database: Lock<EndpointTable>
  let known = Lock(KnownEndpoints())
  let nowMs: @Sendable () -> Int64
  /// What is kept of applications.
  let apps: Lock<[String: PinpointAppRecord]>

  /// Opens the file, or makes it, for its owner alone.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist. `:memory:` keeps nothing.
  ///   - nowMs: The wall clock in milliseconds since 1970.
  /// - Throws: `failed`, with what SQLite says.
  public init(path: String, nowMs: @escaping @Sendable () -> Int64) throws(EndpointProblem) {
    let table = try EndpointTable(path: path)
    apps = Lock(try table.apps())
    database = Lock(table)
    self.nowMs = nowMs
  }

  /// Takes what a request says of endpoints, of all or of none.
  ///
  /// - Returns: The endpoints as they are now, in order.
  /// - Throws: `refused`, when a user would have too many.
  @discardableResult
  public func update(
    app: String,
    _ items: [PinpointEndpointUpdate.Item]
  ) throws(EndpointProblem) -> [PinpointEndpoint] {
    let now = nowMs()
    return try database.withLock { (table) throws(EndpointProblem) in
      let changed = try table.update(app: app, items, nowMs: now)
      known.withLock { $0.forget(app: app, ids: changed.touched) }
      return changed.endpoints
    }
  }

  /// The endpoint with this id; nil when there is none.
  public func endpoint(app: String, id: String) throws(EndpointProblem) -> PinpointEndpoint? {
    try database.withLock { (table) throws(EndpointProblem) in
      try table.endpoint(app: app, id: id)
    }
  }

  /// The endpoints of a user, by their ids.
  public func endpoints(app: String, user: String) throws(EndpointProblem) -> [PinpointEndpoint] {
    try database.withLock { (table) throws(EndpointProblem) in
      try table.endpoints(app: app, user: user)
    }
  }

  /// Takes an endpoint away.
  ///
  /// - Returns: What it was; nil when there is none.
  public func delete(app: String, id: String) throws(EndpointProblem) -> PinpointEndpoint? {
    try remove(app: app) { (table) throws(EndpointProblem) in
      try table.endpoint(app: app, id: id).map { [$0] } ?? []
    }.first
  }

  /// Takes a user's endpoints away, and what they have in common.
  ///
  /// - Returns: What they were; empty when there are none.
  public func delete(app: String, user: String) throws(EndpointProblem) -> [PinpointEndpoint] {
    try remove(app: app) { (table) throws(EndpointProblem) in
      try table.endpoints(app: app, user: user)
    }
  }

  /// Takes away what is kept of a person, in all of a project's applications, so that nothing of it is left
  /// in the files.
  ///
  /// - Parameters:
  ///   - apps: The applications' ids.
  ///   - user: Only endpoints of this user; nil for anyone's.
  ///   - device: Only the endpoint with this id; nil for any.
  /// - Returns: How many endpoints there were; without a condition none are touched.
  /// - Throws: `failed`, with what SQLite says; what was taken away by then stays so.
  public func erase(apps: [String], user: String?, device: String?) throws(EndpointProblem) -> Int {
    var count = 0
    for app in apps {
      count += try remove(app: app) { (table) throws(EndpointProblem) in
        if let device {
          let found = try table.endpoint(app: app, id: device)
          return found.map { user == nil || $0.state.userID == user ? [$0] : [] } ?? []
        }
        return try user.map { (user) throws(EndpointProblem) in
          try table.endpoints(app: app, user: user)
        } ?? []
      }.count
    }
    try leaveNothing()
    return count
  }

  /// Takes away endpoints that fit, in all of a project's applications; looks at every one.
  ///
  /// - Parameters:
  ///   - apps: The applications' ids.
  ///   - fits: Whether an endpoint goes.
  /// - Returns: How many there were.
  /// - Throws: `failed`, with what SQLite says; what was taken away by then stays so.
  public func erase(
    apps: [String],
    where fits: (PinpointEndpoint) -> Bool
  ) throws(EndpointProblem) -> Int {
    var count = 0
    for app in apps {
      count += try remove(app: app) { (table) throws(EndpointProblem) in
        try table.endpoints(app: app).filter(fits)
      }.count
    }
    try leaveNothing()
    return count
  }

  /// Also where nothing was found: an attempt before may have stopped here.
  private func leaveNothing() throws(EndpointProblem) {
    try database.withLock { (table) throws(EndpointProblem) in try table.leaveNothing() }
  }

  private func remove(
    app: String,
    _ find: (EndpointTable) throws(EndpointProblem) -> [PinpointEndpoint]
  ) throws(EndpointProblem) -> [PinpointEndpoint] {
    try database.withLock { (table) throws(EndpointProblem) in
      let found = try find(table)
      try table.remove(found)
      known.withLock { $0.forget(app: app, ids: found.map(\.id)) }
      return found
    }
  }

  /// Moves what was stored into the file itself, so that a copy of it has all; as a server stops.
  public func close() { database.withLock { $0.close() } }

  // MARK: Endpoints that come with events

  /// Takes what came with a request's events, each endpoint by itself, in one transaction.
  ///
  /// An app says the same with every request, which costs one look into memory. The change in a verdict is
  /// to be logged with the events; where that fails, call `forget`.
  ///
  /// - Parameters:
  ///   - app: The application's id.
  ///   - embedded: What came.
  ///   - whole: Whether all that is known of each is wanted, which is looked up on disk.
  /// - Returns: What is known of each, in order.
  public func verdicts(
    app: String,
    _ embedded: [PinpointEvents.Embedded],
    whole: Bool = false
  ) -> [PinpointEvents.Verdict] {
    let said = Self.said(app: app, embedded)
    var verdicts = known.withLock { known in
      said.map { known.verdict($0.key, print: $0.print) }
    }
    let news = embedded.indices.filter { verdicts[$0] == nil }
    if !news.isEmpty {
      let items = news.map { Self.read(embedded[$0]) }
      // What is remembered is noted under the same lock, so that no other request's change comes between.
      database.withLock { table in
        let results = table.updateEach(app: app, items, nowMs: nowMs())
        known.withLock { known in
          // One after the other: a later one may have changed an earlier one.
          for (index, place) in news.enumerated() {
            known.forget(app: app, ids: results.touched[index])
            guard case .success(let endpoint) = results.endpoints[index] else { continue }
            known.note(said[place].key, print: said[place].print, Self.verdict(endpoint))
          }
        }
        for (index, place) in news.enumerated() {
          verdicts[place] = Self.verdict(
            results.endpoints[index],
            items[index],
            in: table,
            app: app
          )
        }
      }
    }
    var made = zip(verdicts, embedded).map { $0 ?? PinpointEvents.Verdict(deviceID: $1.id) }
    if whole {
      database.withLock { table in
        for index in made.indices {
          made[index].endpoint = Self.endpoint(app: app, id: made[index].deviceID, in: table)
        }
      }
    }
    return made
  }

  /// What is known of endpoints that all say the same again; nil where one says something new.
  ///
  /// Never waits: it is in memory.
  public func knownVerdicts(
    app: String,
    _ embedded: [PinpointEvents.Embedded]
  ) -> [PinpointEvents.Verdict]? {
    let said = Self.said(app: app, embedded)
    return known.withLock { known in
      var verdicts: [PinpointEvents.Verdict] = []
      for (key, print) in said {
        guard let verdict = known.verdict(key, print: print) else { return nil }
        verdicts.append(verdict)
      }
      return verdicts
    }
  }

  private static func said(
    app: String,
    _ embedded: [PinpointEvents.Embedded]
  ) -> [(key: KnownEndpoints.Key, print: Int)] {
    embedded.map { endpoint in
      (
        key: KnownEndpoints.Key(app: app, id: endpoint.id),
        print: KnownEndpoints.print(of: endpoint.json)
      )
    }
  }

  private static func endpoint(
    app: String,
    id: String,
    in table: EndpointTable
  ) -> PinpointEndpoint? {
    do throws(EndpointProblem) { return try table.endpoint(app: app, id: id) } catch {
      // A copy then has the endpoint's id alone.
      return nil
    }
  }

  /// Makes the next request with events say again what these endpoints are.
  public func forget(app: String, ids: [String]) {
    known.withLock { $0.forget(app: app, ids: ids) }
  }

  private static func read(_ embedded: PinpointEvents.Embedded) -> EndpointTable.Item {
    do throws(AWSRefusal) {
      try PinpointEndpointUpdate.check(id: embedded.id)
      return (embedded.id, .success(try PinpointEndpointUpdate(embedded.json)))
    } catch {
      return (embedded.id, .failure(error))
    }
  }

  private static func verdict(
    _ result: Result<PinpointEndpoint, EndpointProblem>,
    _ item: EndpointTable.Item,
    in table: EndpointTable,
    app: String
  ) -> PinpointEvents.Verdict {
    switch result {
    case .success(let endpoint):
      var verdict = verdict(endpoint)
      if case .success(let update) = item.update { verdict.change = update }
      return verdict
    case .failure(let problem):
      var verdict = PinpointEvents.Verdict(deviceID: item.id)
      do throws(EndpointProblem) {
        if let endpoint = try table.endpoint(app: app, id: item.id) {
          verdict = Self.verdict(endpoint)
        }
      } catch {
        // The events are kept under the spelling they came with; the answer tells of the problem.
      }
      switch problem {
      case .refused(let refusal): verdict.refusal = refusal.message
      case .failed: verdict.refusal = "The endpoint could not be stored."
      }
      return verdict
    }
  }

  private static func verdict(_ endpoint: PinpointEndpoint) -> PinpointEvents.Verdict {
    var verdict = PinpointEvents.Verdict(deviceID: endpoint.id)
    verdict.userID = endpoint.state.userID
    verdict.appVersion = endpoint.state.demographic["AppVersion"] ?? ""
    verdict.context = endpoint.context
    return verdict
  }
}
