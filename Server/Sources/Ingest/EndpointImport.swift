public import Catalog
public import EndpointStore
public import IngestLog
internal import EventRecord
internal import FootfallJournal
internal import FootfallSystem
internal import Wire

/// Takes endpoints from a file into a Pinpoint application, as its API would, and keeps when each was
/// made and its cohort, where the file tells.
public struct EndpointImport: Sendable {
  /// One endpoint of a file.
  public struct Line: Sendable {
    /// The line's number in the file.
    public var number: Int
    /// The endpoint's id.
    public var id: String
    /// What is said of it, as an EndpointRequest or EndpointResponse has it.
    public var json: String

    /// A line from its parts.
    public init(number: Int, id: String, json: String) {
      self.number = number
      self.id = id
      self.json = json
    }
  }

  /// A line that was not taken.
  public struct Failure: Sendable, Hashable {
    /// The line's number in the file.
    public var line: Int
    /// Why, as a sentence.
    public var reason: String
  }

  /// Why the import stopped; what was taken by then stays so, and doing it again is right.
  public struct Problem: Error, Sendable, CustomStringConvertible {
    /// What happened, as a sentence.
    public let description: String
  }

  private let endpoints: EndpointStore
  private let log: IngestLog
  private let nowMs: @Sendable () -> Int64

  /// Endpoints that are stored and logged together.
  private static let perRecord = 100

  /// An import into these parts.
  ///
  /// - Parameters:
  ///   - endpoints: where endpoints are kept.
  ///   - log: where what changed is logged, so that people's properties follow.
  ///   - nowMs: the wall clock in milliseconds since 1970.
  public init(
    endpoints: EndpointStore,
    log: IngestLog,
    nowMs: @escaping @Sendable () -> Int64
  ) {
    self.endpoints = endpoints
    self.log = log
    self.nowMs = nowMs
  }

  /// Takes endpoints; blocks until they are on disk.
  ///
  /// - Parameters:
  ///   - lines: the endpoints; one that is refused stops no other.
  ///   - app: the application.
  /// - Returns: the lines that were not taken.
  /// - Throws: `Problem` when the disk or the log takes nothing.
  public func take(_ lines: [Line], app: PinpointApp) throws -> [Failure] {
    var failures: [Failure] = []
    for start in stride(from: 0, to: lines.count, by: Self.perRecord) {
      var items: [(line: Int, item: PinpointEndpointUpdate.Item)] = []
      for line in lines[start..<min(start + Self.perRecord, lines.count)] {
        do throws(AWSRefusal) {
          try PinpointEndpointUpdate.check(id: line.id)
          let update = try PinpointEndpointUpdate(imported: line.json)
          items.append((line.number, (line.id, update)))
        } catch { failures.append(Failure(line: line.number, reason: error.message)) }
      }
      try take(items, app: app, &failures)
    }
    return failures.sorted { $0.line < $1.line }
  }

  private func take(
    _ items: [(line: Int, item: PinpointEndpointUpdate.Item)],
    app: PinpointApp,
    _ failures: inout [Failure]
  ) throws {
    guard !items.isEmpty else { return }
    do throws(EndpointProblem) {
      let made = try endpoints.update(app: app.id, items.map { $0.item })
      try logged(Array(zip(items.map { $0.item.update }, made)), app)
    } catch {
      switch error {
      case .failed(let reason): throw Problem(description: reason)
      case .refused(let refusal):
        guard items.count > 1 else {
          failures.append(Failure(line: items[0].line, reason: refusal.message))
          return
        }
        // Of all or of none: the halves show which one it is.
        let middle = items.count / 2
        try take(Array(items[..<middle]), app: app, &failures)
        try take(Array(items[middle...]), app: app, &failures)
      }
    }
  }

  private func logged(
    _ changes: [(PinpointEndpointUpdate, PinpointEndpoint)],
    _ app: PinpointApp
  ) throws(EndpointProblem) {
    let now = nowMs()
    let nonce = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    let record = RecordWriter.record(
      RecordHeader(source: .pinpoint, project: app.project, receivedAtMs: now, sentAtMs: now),
      context: #"{"ApplicationId":"\#(app.id)"}"#,
      events: changes.enumerated().map { index, change in
        change.0.event(
          key: .random(project: app.project, nonce: nonce, counter: UInt64(index)),
          deviceID: change.1.id,
          userID: change.1.state.userID,
          timestampMs: now,
          sequence: Int64(index),
          context: change.1.context
        )
      }
    )
    let outcome = Monitor<String?>(nil)
    let submission = log.submit(record) { result in
      outcome.change { known in
        if case .failure(let error) = result { known = "\(error)" } else { known = "" }
      }
    }
    guard submission == .accepted else {
      throw .failed("The log takes nothing right now; try again.")
    }
    let problem = outcome.wait { $0 }
    if !problem.isEmpty { throw .failed("The log could not be written: \(problem)") }
  }
}
