import Catalog
import FootfallSystem
public import Wire

/// The endpoints of Pinpoint applications, and what their users have in common, in one SQLite file.
///
/// What it says is on disk when a call returns. Any thread; every call waits for the disk, except for
/// `verdict` on an endpoint that says the same again.
public final class EndpointStore: Sendable {
  private let database: Lock<EndpointTable>
  private let known = Lock(KnownEndpoints())
  private let nowMs: @Sendable () -> Int64

  /// Opens the file, or makes it, for its owner alone.
  ///
  /// - Parameters:
  ///   - path: The file; its folder must exist. `:memory:` keeps nothing.
  ///   - nowMs: The wall clock in milliseconds since 1970.
  /// - Throws: `failed`, with what SQLite says.
  public init(path: String, nowMs: @escaping @Sendable () -> Int64) throws(EndpointProblem) {
    database = Lock(try EndpointTable(path: path))
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

  // MARK: Endpoints that come with events

  /// Takes what came with events, as `update` does.
  ///
  /// An app says the same with every request, which costs one look into memory. The change in the verdict
  /// is to be logged with the events; where that fails, call `forget`.
  public func verdict(app: String, _ embedded: PinpointEvents.Embedded) -> PinpointEvents.Verdict {
    let key = KnownEndpoints.Key(app: app, id: embedded.id)
    let print = KnownEndpoints.print(of: embedded.json)
    if let verdict = known.withLock({ $0.verdict(key, print: print) }) { return verdict }
    do throws(EndpointProblem) {
      let update = try Self.read(embedded)
      // Within one lock, so that no other request's change comes between the two.
      let endpoint = try database.withLock { (table) throws(EndpointProblem) in
        let changed = try table.update(app: app, [(embedded.id, update)], nowMs: nowMs())
        known.withLock { known in
          known.forget(app: app, ids: changed.touched)
          for endpoint in changed.endpoints {
            known.note(key, print: print, Self.verdict(endpoint))
          }
        }
        return changed.endpoints.first
      }
      var verdict = endpoint.map(Self.verdict) ?? PinpointEvents.Verdict(deviceID: embedded.id)
      verdict.change = update
      return verdict
    } catch {
      return refused(error, app: app, embedded)
    }
  }

  /// Makes the next request with events say again what these endpoints are.
  public func forget(app: String, ids: [String]) {
    known.withLock { $0.forget(app: app, ids: ids) }
  }

  private static func read(
    _ embedded: PinpointEvents.Embedded
  ) throws(EndpointProblem) -> PinpointEndpointUpdate {
    do throws(AWSRefusal) {
      try PinpointEndpointUpdate.check(id: embedded.id)
      return try PinpointEndpointUpdate(embedded.json)
    } catch {
      throw .refused(error)
    }
  }

  private func refused(
    _ problem: EndpointProblem,
    app: String,
    _ embedded: PinpointEvents.Embedded
  ) -> PinpointEvents.Verdict {
    var verdict = PinpointEvents.Verdict(deviceID: embedded.id)
    do throws(EndpointProblem) {
      if let endpoint = try endpoint(app: app, id: embedded.id) { verdict = Self.verdict(endpoint) }
    } catch {
      // The events are kept under the spelling they came with; the answer tells of the problem.
    }
    switch problem {
    case .refused(let refusal): verdict.refusal = refusal.message
    case .failed: verdict.refusal = "The endpoint could not be stored."
    }
    return verdict
  }

  private static func verdict(_ endpoint: PinpointEndpoint) -> PinpointEvents.Verdict {
    var verdict = PinpointEvents.Verdict(deviceID: endpoint.id)
    verdict.userID = endpoint.state.userID
    verdict.appVersion = endpoint.state.demographic["AppVersion"] ?? ""
    verdict.context = endpoint.context
    return verdict
  }
}
