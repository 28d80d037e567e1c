public import Catalog
public import EventStore
public import EndpointStore
import EventRecord
import Foundation
import FootfallSystem
public import IngestLog
import Wire

/// Erases events wherever they lie: in the store with all that follows from them, in the ingest log,
/// and in whatever arrives of them later.
///
/// The steps, each of which may be done again: the erasure is written into the catalogue (from then on
/// nothing it concerns is loaded); the store removes the events in one transaction; the log's records
/// lose them; the catalogue says that it is done. A stop before the first step leaves nothing begun; after
/// it, `resume` goes on. A store that was restored from a copy is caught up by `resume` as well.
///
/// Any thread.
public final class Erasing: Sendable {
  /// What is to be erased: at least one of person, name and time.
  public struct Request: Sendable, Hashable {
    /// The project's number.
    public var project: UInt32
    /// Only events of this user, and those without a user on their devices.
    public var user: String?
    /// Only events of this device.
    public var device: String?
    /// Only events of this name.
    public var name: String?
    /// Only events from this moment on, in milliseconds since 1970.
    public var fromMs: Int64?
    /// Only events before this moment, in milliseconds since 1970.
    public var toMs: Int64?

    /// A request without a condition.
    public init(project: UInt32) {
      self.project = project
    }

    /// What it asks for, without naming a person.
    public var summary: String {
      var parts: [String] = []
      if user != nil { parts.append("one user") }
      if device != nil { parts.append("one device") }
      if let name { parts.append("events “\(name)”") }
      if fromMs != nil || toMs != nil { parts.append("a stretch of time") }
      return parts.joined(separator: ", ")
    }
  }

  /// Why nothing was erased.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// A request without any condition would erase a whole project.
    case noCondition

    /// What to do.
    public var description: String {
      "Say what to erase: a user, a device, a name, a time, or several of them together."
    }
  }

  /// How far an erasure is; for showing progress.
  public enum Step: Sendable, Hashable, CaseIterable {
    /// It is in the catalogue.
    case writtenDown
    /// The store has removed the events.
    case storeDone
    /// The log has lost them.
    case logDone
  }

  private let catalog: Catalog
  private let store: any EventStore
  private let log: IngestLog
  private let nowMs: @Sendable () -> Int64
  private let endpoints: EndpointStore?
  private let state: StateStore?
  private let list = Lock<EraseList?>(nil)

  /// Makes it ready; nothing is resumed.
  ///
  /// - Parameters:
  ///   - catalog: where erasures are written down.
  ///   - store: the events that were loaded.
  ///   - log: the events that were taken.
  ///   - endpoints: what Pinpoint's clients said of people; nil where there is none.
  ///   - state: the devices and sessions of Phase's clients; nil where there are none.
  ///   - nowMs: the wall clock in milliseconds since 1970.
  public init(
    catalog: Catalog,
    store: any EventStore,
    log: IngestLog,
    endpoints: EndpointStore? = nil,
    state: StateStore? = nil,
    nowMs: @escaping @Sendable () -> Int64 = WallClock.milliseconds
  ) {
    self.catalog = catalog
    self.store = store
    self.log = log
    self.endpoints = endpoints
    self.state = state
    self.nowMs = nowMs
  }

  /// What must not be stored again; for the loader.
  ///
  /// - Throws: `CatalogError` when it is not known: nothing may be loaded then.
  public func erased() throws -> EraseList {
    try list.withLock { list in
      if let list { return list }
      let read = EraseList(try entries().map(\.erasure))
      list = read
      return read
    }
  }

  /// How many stored events a request would remove.
  ///
  /// - Throws: `Problem.noCondition`, or `StoreError`.
  public func count(_ request: Request) throws -> Int {
    try store.count(try erasure(request))
  }

  /// Erases; blocks until all is done.
  ///
  /// - Parameters:
  ///   - request: what.
  ///   - actor: who asks, for the audit log.
  ///   - progress: told each step once it is done; what it throws stops the work, as a kill would.
  /// - Returns: how many stored events were removed.
  /// - Throws: `Problem.noCondition`, `CatalogError`, `StoreError` or `JournalError`; once it is written
  ///   down, `resume` goes on.
  public func erase(
    _ request: Request,
    by actor: Actor,
    progress: (Step) throws -> Void = { _ in }
  ) throws -> Int {
    let erasure = try erasure(request)
    try eraseBeside(request)
    try catalog.addErasure(
      id: erasure.id,
      project: erasure.project,
      askedAtMs: erasure.askedAtMs,
      document: try Self.document(erasure),
      summary: request.summary,
      by: actor
    )
    list.withLock { $0 = nil }
    try progress(.writtenDown)
    return try carryOut(erasure, progress: progress)
  }

  /// Goes on with what was not finished, and catches up a store that was restored from a copy.
  ///
  /// - Returns: how many erasures there was something to do for.
  /// - Throws: `CatalogError`, `StoreError` or `JournalError`; calling again is right.
  public func resume() throws -> Int {
    let entries = try entries()
    guard !entries.isEmpty else { return 0 }
    let done = try store.erasuresDone()
    let open = entries.filter { !$0.isDone || !done.contains($0.erasure.id) }
    for entry in open { _ = try carryOut(entry.erasure) { _ in } }
    return open.count
  }

  /// Takes away what is kept of a whole person beside the events; before anything names them by number
  /// only, so that a stop here leaves the request to be made again.
  private func eraseBeside(_ request: Request) throws {
    guard request.name == nil, request.fromMs == nil, request.toMs == nil else { return }
    _ = try endpoints?.erase(
      apps: try catalog.pinpointApps(project: request.project).map(\.id),
      user: request.user,
      device: request.device
    )
    // Phase's clients know no user. A device that comes again registers anew.
    guard let state, let device = request.device, request.user == nil else { return }
    try state.run { [project = request.project] transaction throws(CatalogError) in
      try transaction.remove(.phaseDevice, project: project) { id, _ in id == device }
      try transaction.remove(.phaseSession, project: project) { _, text in
        PhaseSession(text: text)?.deviceID == device
      }
    }
  }

  private func carryOut(
    _ erasure: Erasure,
    progress: (Step) throws -> Void
  ) throws -> Int {
    let removed = try store.erase(erasure)
    try progress(.storeDone)
    _ = try log.rewrite { record in
      RecordEraser.erase(record) { event, header in
        erasure.concerns(Erasure.Facts(event, header: header))
      }
    }
    try progress(.logDone)
    try catalog.finishErasure(id: erasure.id, removed: removed, atMs: nowMs())
    return removed
  }

  private func erasure(_ request: Request) throws -> Erasure {
    guard
      request.user != nil || request.device != nil || request.name != nil
        || request.fromMs != nil || request.toMs != nil
    else { throw Problem.noCondition }
    let project = request.project
    var erasure = Erasure(id: .random(in: 1 ... .max), project: project, askedAtMs: nowMs())
    erasure.user = request.user.map { PersonNumber.user(project: project, id: $0) }
    erasure.device = request.device.map { PersonNumber.device(project: project, id: $0) }
    erasure.name = request.name
    erasure.fromMs = request.fromMs
    erasure.toMs = request.toMs
    if let user = erasure.user { erasure.spans = try store.spans(ofUser: user) }
    return erasure
  }

  private func entries() throws -> [(erasure: Erasure, isDone: Bool)] {
    try catalog.erasures().map { entry in
      (
        try JSONDecoder().decode(Erasure.self, from: Data(entry.document.utf8)),
        entry.doneAtMs != nil
      )
    }
  }

  private static func document(_ erasure: Erasure) throws -> String {
    String(decoding: try JSONEncoder().encode(erasure), as: UTF8.self)
  }
}
