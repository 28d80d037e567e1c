public import Catalog
public import EventStore
public import EndpointStore
import EventRecord
import Foundation
import FootfallSystem
public import IngestLog
public import Loader
import Wire

/// Erases events wherever they lie: in the store with all that follows from them, in the ingest log,
/// and in whatever arrives of them later.
///
/// The steps, each of which may be done again: the erasure is written into the catalogue (from then on
/// nothing it concerns is loaded, once the batch under way is through); the store removes the events in
/// one transaction; the log's records lose them, and those that were set aside; the store's file is written
/// anew without what they were; the catalogue says that it is done. A stop before the first step leaves nothing begun; after it, `resume` goes on. A store that
/// was restored from a copy is caught up by `resume` as well.
///
/// What arrives later is in the log until `sweep`.
///
/// Any thread; one erasure at a time.
public final class Erasing: Sendable {
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
    /// Nothing of them is left in the store's file.
    case fileDone
  }

  private let catalog: Catalog
  private let store: any EventStore
  private let log: IngestLog
  private let nowMs: @Sendable () -> Int64
  private let endpoints: EndpointStore?
  private let state: StateStore?
  private let setAside: PoisonFolder?
  private let files: ProjectFiles?
  private let finishBatch = Lock<(@Sendable () -> Void)?>(nil)
  private let list = Lock<EraseList?>(nil)

  /// Makes it ready; nothing is resumed.
  ///
  /// - Parameters:
  ///   - catalog: where erasures are written down.
  ///   - store: the events that were loaded.
  ///   - log: the events that were taken.
  ///   - endpoints: what Pinpoint's clients said of people; nil where there is none.
  ///   - state: the devices and sessions of Phase's clients; nil where there are none.
  ///   - setAside: records that no store took; nil where there are none.
  ///   - data: where files lie that hold events for a while; nil where there are none.
  ///   - nowMs: the wall clock in milliseconds since 1970.
  public init(
    catalog: Catalog,
    store: any EventStore,
    log: IngestLog,
    endpoints: EndpointStore? = nil,
    state: StateStore? = nil,
    setAside: PoisonFolder? = nil,
    data: DataFolder? = nil,
    nowMs: @escaping @Sendable () -> Int64 = WallClock.milliseconds
  ) {
    self.catalog = catalog
    self.store = store
    self.log = log
    self.endpoints = endpoints
    self.state = state
    self.setAside = setAside
    files = data.map { ProjectFiles(folder: $0, catalog: catalog) }
    self.nowMs = nowMs
  }

  /// Has it wait for the batch that is being loaded, which may not know of an erasure yet.
  public func wait(for loader: Loader) {
    finishBatch.withLock { $0 = { loader.finishBatch() } }
  }

  /// What must not be stored again; for the loader.
  ///
  /// - Throws: `CatalogError` when it is not known: nothing may be loaded then.
  public func erased() throws -> EraseList {
    try list.withLock { list in
      if let list { return list }
      let read = try EraseList(catalog)
      list = read
      return read
    }
  }

  /// How many stored events would be removed.
  ///
  /// - Throws: `Problem.noCondition`, or `StoreError`.
  public func count(_ conditions: EventConditions, of project: UInt32) throws -> Int {
    try store.count(try erasure(conditions, of: project))
  }

  /// Erases; blocks until all is done.
  ///
  /// - Parameters:
  ///   - conditions: what; at least one.
  ///   - project: the project's number.
  ///   - id: the erasure's number; one that is written down already is gone on with.
  ///   - askedAtMs: when it was asked for, in milliseconds since 1970; now unless told.
  ///   - actor: who asks, for the audit log.
  ///   - progress: told each step once it is done; what it throws stops the work, as a kill would.
  /// - Returns: how many stored events were removed.
  /// - Throws: `Problem.noCondition`, `CatalogError`, `StoreError` or `JournalError`; once it is written
  ///   down, `resume` goes on.
  public func erase(
    _ conditions: EventConditions,
    of project: UInt32,
    id: Int64 = .random(in: 1 ... .max),
    askedAtMs: Int64? = nil,
    by actor: Actor,
    progress: (Step) throws -> Void = { _ in }
  ) throws -> Int {
    if let begun = try WrittenErasure.all(in: catalog).first(where: { $0.erasure.id == id }) {
      let removed = try carryOut(begun.erasure, progress: progress)
      return begun.removed ?? removed
    }
    let erasure = try erasure(conditions, of: project, id: id, askedAtMs: askedAtMs)
    try eraseBeside(conditions, of: project)
    try catalog.addErasure(
      id: erasure.id,
      project: erasure.project,
      askedAtMs: erasure.askedAtMs,
      document: try Self.document(erasure),
      summary: conditions.summary,
      by: actor
    )
    list.withLock { $0 = nil }
    try progress(.writtenDown)
    return try carryOut(erasure, progress: progress)
  }

  /// Takes out of the log and of what was set aside what arrived since of what had been erased before.
  ///
  /// - Returns: how many records were changed.
  /// - Throws: `CatalogError`, `JournalError` or `SystemError`; calling again is right.
  public func sweep() throws -> Int {
    let erased = try erased()
    guard !erased.isEmpty else { return 0 }
    return try clean { erased.concerns($0) }
  }

  /// Corrects what was asked for under a clock that was days ahead, once it is set back; see
  /// `Erasure.believed`.
  ///
  /// - Returns: how many erasures were corrected.
  /// - Throws: `CatalogError`; calling again is right.
  public func followClock() throws -> Int {
    guard try erased().hasDoubts else { return 0 }
    var count = 0
    // What is not done yet still goes by the clock under which the events came.
    for entry in try WrittenErasure.all(in: catalog) where entry.isDone {
      guard let believed = entry.erasure.believed(nowMs: nowMs()) else { continue }
      try catalog.changeErasure(
        id: believed.id,
        project: believed.project,
        askedAtMs: believed.askedAtMs,
        document: try Self.document(believed)
      )
      count += 1
    }
    if count > 0 { list.withLock { $0 = nil } }
    return count
  }

  /// Goes on with what was not finished, and catches up a store that was restored from a copy.
  ///
  /// - Parameter leavingBytes: whether the store's file stays as it is, which takes as long to write anew as
  ///   it is large: the erasures are not done then, and the next call finishes them.
  /// - Returns: how many erasures there was something to do for.
  /// - Throws: `CatalogError`, `StoreError` or `JournalError`; calling again is right.
  public func resume(leavingBytes: Bool = false) throws -> Int {
    let entries = try WrittenErasure.all(in: catalog)
    guard !entries.isEmpty else { return 0 }
    let done = try store.erasuresDone()
    let open = entries.filter { !$0.isDone || !done.contains($0.erasure.id) }
    for entry in open {
      try eraseBeside(entry.erasure)
      _ = try remove(entry.erasure) { _ in }
    }
    guard !open.isEmpty, !leavingBytes else { return open.count }
    try store.leaveNothing()
    for entry in open { try catalog.finishErasure(id: entry.erasure.id, atMs: nowMs()) }
    return open.count
  }

  /// Takes away what is kept of a whole person beside the events; before anything names them by number
  /// only, so that a stop here leaves the request to be made again.
  private func eraseBeside(_ conditions: EventConditions, of project: UInt32) throws {
    guard conditions.isWholePerson else { return }
    _ = try endpoints?.erase(
      apps: try catalog.pinpointApps(project: project).map(\.id),
      user: conditions.user,
      device: conditions.device
    )
    // Whose a record is that nobody can read, only these texts tell.
    _ = try setAside?.erase(holding: [conditions.user, conditions.device].compactMap { $0 }) {
      _,
      _ in false
    }
    // Phase's clients know no user. A device that comes again registers anew.
    guard let state, let device = conditions.device, conditions.user == nil else { return }
    try state.run(leavesNothing: true) { transaction throws(CatalogError) in
      try transaction.remove(.phaseDevice, project: project) { id, _ in id == device }
      try transaction.remove(.phaseSession, project: project) { _, text in
        PhaseSession(text: text)?.deviceID == device
      }
    }
  }

  /// The same by number, in a copy from before the erasure: what is older than that goes.
  private func eraseBeside(_ erasure: Erasure) throws {
    guard erasure.isWholePerson else { return }
    let project = erasure.project
    @Sendable func isDevice(_ id: String) -> Bool {
      erasure.device.map { PersonNumber.device(project: project, id: id) == $0 } ?? true
    }
    _ = try endpoints?.erase(apps: try catalog.pinpointApps(project: project).map(\.id)) {
      endpoint in
      guard endpoint.createdAtMs < erasure.askedAtMs, isDevice(endpoint.id) else { return false }
      let user = endpoint.state.userID
      return erasure.user.map { PersonNumber.user(project: project, id: user) == $0 } ?? true
    }
    guard let state, erasure.user == nil else { return }
    try state.run(leavesNothing: true) { transaction throws(CatalogError) in
      try transaction.remove(.phaseDevice, project: project) { id, _ in isDevice(id) }
      try transaction.remove(.phaseSession, project: project) { _, text in
        PhaseSession(text: text).map { isDevice($0.deviceID) } ?? false
      }
    }
  }

  private func carryOut(
    _ erasure: Erasure,
    progress: (Step) throws -> Void
  ) throws -> Int {
    let removed = try remove(erasure, progress: progress)
    try store.leaveNothing()
    try progress(.fileDone)
    try catalog.finishErasure(id: erasure.id, atMs: nowMs())
    return removed
  }

  /// Takes away what an erasure concerns, but for bytes that the store's file keeps.
  private func remove(
    _ erasure: Erasure,
    progress: (Step) throws -> Void
  ) throws -> Int {
    finishBatch.withLock { $0 }?()
    let removed = try store.erase(erasure)
    try catalog.noteErasure(id: erasure.id, removed: removed)
    // What was written of the project before has them, too. From now on the store has nothing to write.
    try files?.remove(of: erasure.project)
    try progress(.storeDone)
    _ = try clean { erasure.concerns($0) }
    try progress(.logDone)
    return removed
  }

  /// Takes events out of what lies before the store.
  private func clean(_ isErased: (Erasure.Facts) -> Bool) throws -> Int {
    let records = try log.rewrite { record in
      RecordEraser.erase(record) { event, header in
        isErased(Erasure.Facts(event, header: header))
      }
    }
    let kept = try setAside?.erase { event, header in
      isErased(Erasure.Facts(event, header: header))
    }
    return records + (kept ?? 0)
  }

  private func erasure(
    _ conditions: EventConditions,
    of project: UInt32,
    id: Int64 = .random(in: 1 ... .max),
    askedAtMs: Int64? = nil
  ) throws -> Erasure {
    guard !conditions.isEmpty else { throw Problem.noCondition }
    var erasure = Erasure(id: id, project: project, askedAtMs: askedAtMs ?? nowMs())
    let clock = try RetentionClock(of: catalog, nowMs: erasure.askedAtMs)
    if erasure.askedAtMs - clock.trustedMs > RetentionClock.leapMs {
      erasure.doubtedSinceMs = clock.trustedMs
    }
    erasure.user = conditions.user.map { PersonNumber.user(project: project, id: $0) }
    erasure.device = conditions.device.map { PersonNumber.device(project: project, id: $0) }
    erasure.name = conditions.name
    erasure.fromMs = conditions.fromMs
    erasure.toMs = conditions.toMs
    if let user = erasure.user { erasure.spans = try store.spans(ofUser: user) }
    return erasure
  }

  private static func document(_ erasure: Erasure) throws -> String {
    String(decoding: try JSONEncoder().encode(erasure), as: UTF8.self)
  }
}
