public import FootfallJournal
public import FootfallSystem
internal import Synchronization

/// What was accepted and not forgotten: records are answered for once they lie here, synced, and the
/// loader takes them from here to the store.
///
/// ```swift
/// let log = try IngestLog(folder: "data/log")
/// let result = log.submit(record) { result in … }   // after the sync, on the log's thread
/// while let end = log.waitForMore(after: position) { … log.read(from: position, upTo: end) … }
/// ```
///
/// Any thread.
public final class IngestLog: Sendable {
  private struct Reading {
    var loaded: JournalPosition?
    var retention: SegmentRetention
    /// How many keep segments from being removed.
    var holders = 0
  }

  /// Its own random id, which stays with the folder; goes into the store beside each position.
  public var id: JournalID { journal.id }
  /// What opening found.
  public var recovery: JournalRecovery { journal.recovery }
  /// The folder its files lie in.
  public var folder: String { journal.folder }
  /// How it is kept.
  public let settings: Settings

  private let journal: Journal
  private let committer: GroupCommitter
  private let files: MeteredFiles
  private let counts: MeteredFiles.Counts
  private let outcome: Outcomes
  private let reading: Lock<Reading>
  /// Where it ended when it was opened.
  private let openingEnd: JournalPosition
  private let tail = Tail()
  private let keeper = Lock<SystemThread?>(nil)
  /// Over the cap with nothing to remove: nothing more is accepted.
  private let isFull = Atomic<Bool>(false)

  /// Opens the log of a folder, or starts one.
  ///
  /// - Parameters:
  ///   - folder: made where needed.
  ///   - settings: sizes and retention.
  ///   - files: the disk.
  ///   - keepsItself: whether a thread removes old segments twice a minute (the default); otherwise
  ///     call `maintain`.
  /// - Throws: `IngestLogError`, whose text says who has the folder or what else is wrong.
  public init(
    folder: String,
    settings: Settings = Settings(),
    files: any FileSystem = PosixFiles(),
    keepsItself: Bool = true
  ) throws(IngestLogError) {
    var configuration = Journal.Configuration()
    configuration.notesLastSegment = true
    configuration.maxSegmentBytes = settings.maxSegmentBytes
    configuration.maxPayloadBytes = settings.maxRecordBytes
    configuration.maxUnsyncedBytes = max(
      configuration.maxUnsyncedBytes,
      settings.maxRecordBytes + (1 << 20)
    )
    let files = MeteredFiles(files)
    do throws(JournalError) {
      journal = try Journal(folder: folder, configuration: configuration, files: files)
      committer = try GroupCommitter(journal: journal, maxPendingBytes: settings.maxPendingBytes)
    } catch {
      throw IngestLogError(folder: folder, cause: error)
    }
    self.settings = settings
    self.files = files
    openingEnd = journal.durableEnd
    counts = files.counts
    outcome = Outcomes()
    reading = Lock(Reading(retention: SegmentRetention(settings.retention)))
    if keepsItself { startKeeper(folder: folder) }
  }

  // The keeper's thread holds the log while it works, so this may run on it: no joining here.
  deinit { _ = tail.close() }

  // MARK: Writing

  /// Hands over a record; never waits for the disk.
  ///
  /// - Parameters:
  ///   - record: its bytes.
  ///   - completion: called once, on the log's thread, with the position after the record once it is
  ///     durable, or with why it is not in the log. Only after `.accepted`.
  /// - Returns: whether it was taken.
  public func submit(
    _ record: [UInt8],
    completion: @escaping @Sendable (Result<JournalPosition, JournalError>) -> Void
  ) -> Submission {
    guard !isFull.load(ordering: .relaxed) else {
      outcome.refused.add(1, ordering: .relaxed)
      return .full
    }
    let bytes = record.count
    let isTaken = committer.submit(record) { [outcome, tail] result in
      outcome.note(result, bytes: bytes)
      tail.wake()
      completion(result)
    }
    if !isTaken { outcome.refused.add(1, ordering: .relaxed) }
    return isTaken ? .accepted : .overloaded
  }

  /// Whether a record would be turned away now; saves decoding it.
  public var isRefusing: Bool {
    isFull.load(ordering: .relaxed) || committer.pendingBytes >= settings.maxPendingBytes
  }

  /// Why records are refused now, in a sentence; nil while they are taken, as far as is known.
  public var refusal: String? {
    if isFull.load(ordering: .relaxed) {
      return "The log holds as much as it may that is not in the store yet."
    }
    if committer.pendingBytes >= settings.maxPendingBytes {
      return "More waits for the disk than may wait."
    }
    return outcome.refusal
  }

  /// Finds out whether records can be written, without one; blocks for the disk.
  ///
  /// Looks for the folder. After a record could not be written it tries the disk: whoever is told that
  /// nothing is taken sends nothing by which it would show that it works again.
  ///
  /// - Parameter isDiskTight: whether to try the disk in any case.
  public func probe(isDiskTight: Bool = false) {
    do throws(SystemError) {
      guard files.exists(folder) else { return outcome.note(refusal: .missingFolder) }
      guard isDiskTight || outcome.refusal != nil else { return }
      let path = folder + "/probe.lock"
      defer {
        do throws(SystemError) { try files.remove(path) } catch {
          // It is written over by the next.
        }
      }
      let file = try files.open(path, .append)
      try file.truncate(to: 0)
      try file.writeAll([UInt8](repeating: 0, count: Self.probeBytes))
      try file.sync()
      outcome.noteWorks()
    } catch {
      outcome.note(
        refusal: error.isDiskFull
          ? .diskFull : error.isReadOnly ? .readOnly : error.isMissing ? .missingFolder : .io(error)
      )
    }
  }

  /// As much as requests commonly bring.
  private static let probeBytes = 1 << 20

  // MARK: Reading

  /// Up to where everything survives a power cut.
  public var durableEnd: JournalPosition { journal.durableEnd }

  /// Blocks until there is something durable after a position; for the loader's own thread.
  ///
  /// - Parameters:
  ///   - position: how far the caller is.
  ///   - timeoutSeconds: how long to wait at most; nil for as long as it takes.
  ///   - isCancelled: whether the caller is to stop. It is asked before waiting and after
  ///     `wakeReaders`, so that setting a flag and then calling that one is never missed.
  /// - Returns: the durable end; nil when the time is over, `wakeReaders` was called, the caller is
  ///   to stop or the log was closed.
  public func waitForMore(
    after position: JournalPosition,
    timeoutSeconds: Double? = nil,
    unless isCancelled: () -> Bool = { false }
  ) -> JournalPosition? {
    tail.wait(timeoutSeconds: timeoutSeconds, unless: isCancelled) { [journal] in
      let end = journal.durableEnd
      return end > position ? end : nil
    }
  }

  /// Makes every `waitForMore` that waits now return.
  ///
  /// For stopping the loader: set its flag, then call this; see `isCancelled` there.
  public func wakeReaders() { tail.interrupt() }

  /// Hands out durable records from a position on, in order; see `Journal.read`.
  public func read(
    from position: JournalPosition,
    upTo limit: JournalPosition? = nil,
    maxBytes: Int = .max,
    _ body: (UnsafeRawBufferPointer, JournalPosition) -> Void
  ) throws(JournalError) -> JournalRead {
    try journal.read(from: position, upTo: limit, maxBytes: maxBytes, body)
  }

  /// Learns how far the store has the log, so that whatever comes lies beyond that.
  ///
  /// Where the log ended before it when it was opened (its last segments were deleted, or its folder was
  /// replaced by an older copy), segments with numbers beyond it are begun.
  ///
  /// - Parameter position: up to where the store has it; as soon as that is known, best before anything
  ///   is submitted.
  /// - Returns: where to load from: that position, or, where records were submitted under numbers that
  ///   the store takes for older ones, before those.
  /// - Throws: `JournalError`; calling again is right.
  public func goOn(beyond position: JournalPosition) throws(JournalError) -> JournalPosition {
    guard position > openingEnd else { return position }
    let first = journal.segments.first { $0.number > openingEnd.segment }?.number
    try journal.goOn(beyond: position)
    guard let first, first <= position.segment else { return position }
    return JournalPosition(segment: first, offset: 0)
  }

  /// Takes note that the store has everything up to a position, so that segments may go.
  public func markLoaded(upTo position: JournalPosition) {
    reading.withLock { $0.loaded = max($0.loaded ?? .start, position) }
  }

  // MARK: Keeping

  /// Closes and removes segments as the settings say; called by the log's own thread.
  ///
  /// - Parameter nowMs: milliseconds since 1970.
  public func maintain(atMs nowMs: Int64) {
    let segments = retainable
    // Under the lock to the end: whoever begins to hold segments finds none on its way out.
    let loaded = reading.withLock { reading in
      let effects = reading.retention.receive(segments, loadedUpTo: reading.loaded, atMs: nowMs)
      for effect in effects {
        do throws(JournalError) {
          switch effect {
          case .seal: try journal.seal()
          case .remove(let segment):
            if reading.holders == 0 { try journal.remove(segment: segment) }
          }
        } catch {
          outcome.note(problem: error)
        }
      }
      return reading.loaded
    }
    let unloaded = SegmentRetention.unloadedBytes(retainable, loadedUpTo: loaded)
    isFull.store(unloaded > settings.retention.maxBytes, ordering: .relaxed)
  }

  /// Runs the body while no segment is removed, as for copying them.
  public func holdingSegments<Result>(_ body: () throws -> Result) rethrows -> Result {
    reading.withLock { $0.holders += 1 }
    defer { reading.withLock { $0.holders -= 1 } }
    return try body()
  }

  /// Replaces records by others of the same length, in everything written so far.
  ///
  /// Positions stay as they are; a stop at any moment leaves each segment as it was or wholly changed.
  ///
  /// - Parameter change: given each record; nil leaves it as it is.
  /// - Returns: how many records were replaced.
  /// - Throws: `JournalError`; calling again is right.
  public func rewrite(
    _ change: (UnsafeRawBufferPointer) -> [UInt8]?
  ) throws(JournalError) -> Int {
    try journal.seal()
    return try journal.rewrite(change)
  }

  /// The log in numbers.
  public var status: IngestLogStatus {
    let segments = retainable
    let loaded = reading.withLock { $0.loaded }
    var status = outcome.status
    status.syncs = counts.syncs.load(ordering: .relaxed)
    status.failedSyncs = counts.failedSyncs.load(ordering: .relaxed)
    status.writtenBytes = counts.writtenBytes.load(ordering: .relaxed)
    status.pendingBytes = committer.pendingBytes
    status.logBytes = segments.reduce(0) { $0 + $1.bytes }
    status.unloadedBytes = SegmentRetention.unloadedBytes(segments, loadedUpTo: loaded)
    status.segments = segments.count
    return status
  }

  /// Returns when everything submitted before is settled; its completions have run.
  public func drain() { committer.drain() }

  /// Settles what was submitted, wakes the readers and gives the folder back; a second call does
  /// nothing.
  public func close() {
    guard tail.close() else { return }
    committer.stop()
    keeper.withLock { $0 }?.join()
    journal.close()
  }

  /// The segments that are there, by number, with their bytes.
  var bytesOfSegments: [(number: UInt64, bytes: UInt64)] {
    journal.segments.map { ($0.number, $0.bytes) }
  }

  private var retainable: [SegmentRetention.Segment] {
    journal.segments.map {
      SegmentRetention.Segment(number: $0.number, bytes: $0.bytes, isSealed: $0.isSealed)
    }
  }

  private func startKeeper(folder: String) {
    let tail = tail
    do throws(SystemError) {
      let thread = try SystemThread(name: "ff-log-keeper") { [weak self] in
        while !tail.waitForClose(seconds: 30) { self?.maintain(atMs: WallClock.milliseconds()) }
      }
      keeper.withLock { $0 = thread }
    } catch {
      outcome.note(problem: .io(error))
    }
  }
}
