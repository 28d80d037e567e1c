public import EventStore
public import FootfallSystem
public import IngestLog
public import FootfallJournal

/// Moves events from the ingest log to the store, each record exactly once, on a thread of its own.
///
/// It loads only what is durable, commits the position with the rows, and goes on from the position
/// the store has: after a kill at any moment nothing is missing and nothing is there twice. While the
/// store fails it tries again, ever less often, and the log keeps growing. Records that cannot be read
/// are set aside and never stop the rest.
public final class Loader: Sendable {
  private struct State {
    var status = LoaderStatus()
    var loadedBytes: UInt64 = 0
    var isStopping = false
    var thread: SystemThread?
    /// Batches begun since the start, and whether the last of them is still under way.
    var begun = 0
    var isLoading = false
    /// Where to read on, when that is not where the store stands; until something from there is stored.
    var readsFrom: JournalPosition?
  }

  private let log: IngestLog
  private let store: any EventStore
  private let feed: LiveFeed
  private let poison: PoisonFolder
  private let settings: LoaderSettings
  private let erased: @Sendable () throws -> EraseList
  private let repeated: @Sendable ([ProjectDay: Int]) -> Void
  private let lost: @Sendable ([JournalGap]) -> Void
  private let report: @Sendable (String) -> Void
  private let state = Monitor(State())

  /// A loader that has not started.
  ///
  /// - Parameters:
  ///   - log: where the records come from.
  ///   - store: where the events go.
  ///   - feed: told about new events of watched projects once they are committed.
  ///   - poisonFolder: where records that cannot be read are set aside.
  ///   - settings: how often and how much.
  ///   - erased: what must not be stored again; asked before every batch. While it throws, nothing is
  ///     loaded.
  ///   - repeated: told on the loader's thread of events that the store had already.
  ///   - lost: told on the loader's thread of pieces of the log that cannot be read, each time they are
  ///     passed over.
  ///   - report: called on the loader's thread with a sentence for the operator, once per problem.
  public init(
    log: IngestLog,
    store: any EventStore,
    feed: LiveFeed,
    poisonFolder: PoisonFolder,
    settings: LoaderSettings = LoaderSettings(),
    erased: @escaping @Sendable () throws -> EraseList = { EraseList() },
    repeated: @escaping @Sendable ([ProjectDay: Int]) -> Void = { _ in },
    lost: @escaping @Sendable ([JournalGap]) -> Void = { _ in },
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.log = log
    self.store = store
    self.feed = feed
    self.settings = settings
    self.erased = erased
    self.repeated = repeated
    self.lost = lost
    self.report = report
    poison = poisonFolder
  }

  /// Starts the thread; a second call does nothing.
  ///
  /// - Throws: `SystemError` when the system has no thread left.
  public func start() throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      guard state.thread == nil, !state.isStopping else { return }
      state.thread = try SystemThread(name: "ff-loader") { [self] in run() }
    }
  }

  /// Finishes the batch under way and ends the thread; returns when it has ended.
  public func stop() {
    let thread = state.change { state in
      state.isStopping = true
      return state.thread
    }
    log.wakeReaders()
    thread?.join()
  }

  /// Where the loader stands; any thread.
  public var status: LoaderStatus {
    var (status, loadedBytes) = state.withLock { ($0.status, $0.loadedBytes) }
    status.lagBytes = log.status.unloadedBytes
    let events = UInt64(status.stored + status.duplicates + status.erased)
    if events > 0, loadedBytes >= events {
      status.lagEvents = Int(clamping: status.lagBytes / (loadedBytes / events))
    }
    return status
  }

  /// The records that were set aside.
  public var setAside: PoisonFolder { poison }

  /// Hands every record that was set aside to the log again, and counts what is left.
  ///
  /// - Returns: How many were handed over.
  /// - Throws: `ReplayError`, and what the disk says.
  public func replaySetAside() throws -> Int {
    defer { countPoison() }
    return try poison.replay(into: log)
  }

  /// Blocks until the batch that is under way, if one is, has been stored or given up.
  ///
  /// A batch asks what was erased as it begins: afterwards none is under way that does not know of an
  /// erasure written down before this call.
  public func finishBatch() {
    let begun = state.withLock { $0.begun }
    state.wait { $0.isLoading && $0.begun == begun ? nil : () }
  }

  /// Blocks until the log has been loaded up to a position.
  ///
  /// - Returns: false when the time is over or the loader was stopped before.
  public func waitUntilLoaded(upTo position: JournalPosition, timeoutSeconds: Double) -> Bool {
    state.wait(timeoutSeconds: timeoutSeconds) { state -> Bool? in
      if let loaded = state.status.position, loaded >= position { return true }
      return state.isStopping ? false : nil
    } ?? false
  }
}

// MARK: - The loop

extension Loader {
  private func run() {
    var pacing = LoadPacing(settings)
    var batch = LoadBatch(log: log.id)
    var position: JournalPosition?
    var lastStart: MonotonicTime?
    countPoison()
    while !isStopping {
      do {
        let from = try position ?? currentPosition()
        position = from
        let source = state.withLock { $0.readsFrom } ?? from
        guard let end = log.waitForMore(after: source, timeoutSeconds: settings.idleSeconds) else {
          if !isStopping { store.idle() }
          continue
        }
        wait(
          seconds: pacing.pauseSeconds(
            waitingBytes: bytes(from: source, to: end),
            secondsSinceStart: lastStart.map { MonotonicTime.now().seconds(since: $0) }
          )
        )
        lastStart = .now()
        position = try load(&batch, from: from, reading: source, pacing: &pacing)
      } catch {
        // What the store has may differ from what we think: it is asked again.
        position = nil
        note(error)
        wait(seconds: pacing.failed())
      }
    }
  }

  private func load(
    _ batch: inout LoadBatch,
    from start: JournalPosition,
    reading source: JournalPosition,
    pacing: inout LoadPacing
  ) throws -> JournalPosition {
    state.change { state in
      state.begun += 1
      state.isLoading = true
    }
    defer { state.change { $0.isLoading = false } }
    batch.restart(at: start)
    try read(&batch, from: source, maxBytes: pacing.batchBytes)
    do {
      try store(batch)
    } catch StoreError.invalidData(let message) {
      guard batch.records.count == 1 else {
        pacing.refused(bytes: batch.bytes.count)
        return start
      }
      try setAsideWhole(&batch, reason: message)
    }
    pacing.stored(bytes: batch.bytes.count)
    state.withLock { $0.readsFrom = nil }
    return batch.end
  }

  private func read(_ batch: inout LoadBatch, from start: JournalPosition, maxBytes: Int) throws {
    batch.watchedProjects = feed.watchedProjects
    batch.erased = try erased()
    let read = try log.read(from: start, maxBytes: maxBytes) { record, end in
      batch.append(record, upTo: end)
    }
    batch.end = read.next
    guard !read.gaps.isEmpty else { return }
    let bytes = read.gaps.reduce(0) { $0 + $1.bytes }
    state.withLock { $0.status.gapBytes += bytes }
    lost(read.gaps)
    report("The ingest log has \(bytes) damaged bytes that hold no record: \(read.gaps)")
  }

  private func store(_ batch: LoadBatch) throws {
    let start = MonotonicTime.now()
    let result = try store.load(batch) { refused in setAside(refused, of: batch) }
    let seconds = MonotonicTime.now().seconds(since: start)
    log.markLoaded(upTo: batch.end)
    feed.publish(result.events)
    if !result.repeats.isEmpty { repeated(result.repeats) }
    let wasFailing = state.change { state in
      defer {
        state.status.failures = 0
        state.status.problem = nil
      }
      state.status.position = batch.end
      state.status.stored += result.stored
      state.status.duplicates += result.duplicates
      state.status.erased += result.erased
      state.status.batches += 1
      state.status.storeSeconds += seconds
      state.loadedBytes += UInt64(batch.bytes.count)
      return state.status.failures > 0
    }
    if wasFailing { report("Loading works again.") }
    store.afterBatch(events: result.stored)
  }

  /// Where the store stands; also tells the log, which may then remove what is loaded.
  private func currentPosition() throws -> JournalPosition {
    let position = try store.position(ofLog: log.id) ?? .start
    // Later the store has only positions that this log gave out.
    let isFirst = state.withLock { $0.status.position == nil }
    let source = isFirst ? try log.goOn(beyond: position) : position
    log.markLoaded(upTo: source)
    state.change { state in
      if source != position { state.readsFrom = source }
      state.status.position = state.readsFrom ?? source
    }
    return position
  }

  private func bytes(from start: JournalPosition, to end: JournalPosition) -> UInt64 {
    start.segment == end.segment ? end.offset - min(start.offset, end.offset) : .max
  }

  private var isStopping: Bool { state.withLock { $0.isStopping } }

  /// Waits, but not longer than until `stop`.
  private func wait(seconds: Double) {
    guard seconds > 0 else { return }
    _ = state.wait(timeoutSeconds: seconds) { $0.isStopping ? true : nil }
  }
}

// MARK: - What goes wrong

extension Loader {
  private func note(_ error: any Error) {
    let isNew = state.change { state in
      state.status.failures += 1
      defer { state.status.problem = "\(error)" }
      return state.status.problem != "\(error)"
    }
    if isNew { report("Loading failed and will be tried again: \(error)") }
  }

  /// Before the commit, so that a kill in between leaves a copy too many rather than none.
  private func setAside(_ refused: [RefusedRecord], of batch: LoadBatch) {
    for record in refused {
      var kept = batch.bytes[batch.records[record.index]]
      // What was erased must not lie here either.
      switch PoisonRecord(Array(kept)).erased(
        holding: [],
        where: { batch.erased.concerns(Erasure.Facts($0, header: $1)) }
      ) {
      case .nothing: break
      case .whole: continue
      case .some(let rest): kept = rest[...]
      }
      do {
        try poison.keep(
          kept,
          reason: record.reason,
          log: batch.log,
          position: batch.recordEnds[record.index]
        )
        report("A record of the ingest log was set aside: \(record.reason)")
      } catch {
        report("A record of the ingest log could not be set aside and is left out: \(error)")
      }
    }
    countPoison()
  }

  /// Passes a record that can be read but that the store refuses.
  private func setAsideWhole(_ batch: inout LoadBatch, reason: String) throws {
    setAside([RefusedRecord(index: 0, reason: reason)], of: batch)
    let end = batch.end
    batch.restart(at: batch.start)
    batch.end = end
    try store(batch)
  }

  private func countPoison() {
    do {
      let count = try poison.count()
      state.withLock { $0.status.poisonRecords = count }
    } catch {
      report("The records set aside could not be counted: \(error)")
    }
  }
}
