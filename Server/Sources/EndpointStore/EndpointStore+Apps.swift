internal import FootfallSystem
public import Wire

/// What is kept of an application beside its endpoints.
public struct PinpointAppRecord: Sendable, Hashable {
  /// Its settings, and when they were last changed, in milliseconds since 1970; nil for never.
  public var settings = PinpointSettings()
  /// See `settings`.
  public var settingsChangedAtMs: Int64?
  /// Where its events are copied to, when that was put, and by whose access key id; nil for nowhere.
  public var stream: Stream?

  /// An event stream as it was put.
  public struct Stream: Sendable, Hashable {
    /// What was put.
    public var stream: PinpointEventStream
    /// When, in milliseconds since 1970.
    public var changedAtMs: Int64
    /// The access key id of who did.
    public var changedBy: String
  }

  init() {}
}

extension EndpointStore {
  /// What is kept of an application; all of it absent for one of which nothing is.
  ///
  /// Never waits: it is in memory.
  public func record(ofApp app: String) -> PinpointAppRecord {
    apps.withLock { $0[app] } ?? PinpointAppRecord()
  }

  /// Takes what a request says of an application's settings.
  ///
  /// - Returns: All that is kept now.
  /// - Throws: `failed`, with what SQLite says.
  public func updateSettings(
    ofApp app: String,
    _ settings: PinpointSettings
  ) throws(EndpointProblem) -> PinpointAppRecord {
    let now = nowMs()
    return try change(app) { record in
      record.settings.apply(settings)
      record.settingsChangedAtMs = now
    }
  }

  /// Copies an application's events into a stream from now on, or into none.
  ///
  /// - Returns: All that is kept now.
  /// - Throws: `failed`, with what SQLite says.
  @discardableResult
  public func setStream(
    ofApp app: String,
    _ stream: PinpointEventStream?,
    by accessKeyID: String
  ) throws(EndpointProblem) -> PinpointAppRecord {
    let now = nowMs()
    return try change(app) { record in
      record.stream = stream.map {
        PinpointAppRecord.Stream(stream: $0, changedAtMs: now, changedBy: accessKeyID)
      }
    }
  }

  private func change(
    _ app: String,
    _ body: (inout PinpointAppRecord) -> Void
  ) throws(EndpointProblem) -> PinpointAppRecord {
    try database.withLock { (table) throws(EndpointProblem) in
      var record = apps.withLock { $0[app] } ?? PinpointAppRecord()
      body(&record)
      try table.store(record, ofApp: app)
      apps.withLock { $0[app] = record }
      return record
    }
  }

  // MARK: Taking attributes away

  /// What an endpoint or a user has of the names that are to be taken away.
  public struct Removal: Sendable {
    /// The endpoint's id; empty for a user's attributes.
    public let endpoint: String
    /// The user's id; empty for nobody's endpoint.
    public let user: String
    /// The names, sorted.
    public let names: [String]
  }

  /// Finds who has some of the names, some hundreds at a time.
  ///
  /// - Parameters:
  ///   - attributes: The names.
  ///   - app: The application's id.
  ///   - place: Where the page before ended; empty for the first one.
  /// - Returns: Who has them, and where to go on; nil at the end.
  /// - Throws: `failed`, with what SQLite says.
  public func removals(
    of attributes: PinpointAttributes,
    app: String,
    after place: String
  ) throws(EndpointProblem) -> (found: [Removal], next: String?) {
    try database.withLock { (table) throws(EndpointProblem) in
      try table.removals(of: attributes, app: app, after: place)
    }
  }

  /// Takes the names away from those who were found, in one transaction.
  ///
  /// - Throws: `failed`, with what SQLite says.
  public func remove(
    _ attributes: PinpointAttributes,
    from found: [Removal],
    app: String
  ) throws(EndpointProblem) {
    try database.withLock { (table) throws(EndpointProblem) in
      let touched = try table.remove(attributes, from: found, app: app)
      known.withLock { $0.forget(app: app, ids: touched) }
    }
  }
}
