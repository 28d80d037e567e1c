public import FootfallSystem

/// An append-only log of byte records that survives a stop at any moment.
///
///     let journal = try Journal(folder: "/var/lib/app/log")
///     try journal.append(record)      // written: survives the end of the process
///     try journal.sync()              // durable: survives the end of the machine
///     let read = try journal.read(from: position, maxBytes: 1 << 20) { payload, next in … }
///
/// Records lie as frames with a checksum in segment files. Opening cuts off what a stop left
/// unfinished; reading steps over damage and reports it. An opened journal never appends to a
/// segment of an earlier opening, so a position is never given to different bytes.
///
/// All methods are synchronous and may be called from any thread. One journal at a time has a
/// folder open. If a disk fails to sync, the records concerned are written again to a new segment;
/// where it also fails to take them back from the old one, a later opening may find them twice.
public final class Journal: Sendable {
  /// The folder the files lie in.
  public let folder: String
  /// The journal's own random id, which stays with the folder.
  public let id: JournalID
  /// What opening found.
  public let recovery: JournalRecovery

  let configuration: Configuration
  let state: Lock<JournalState>
  private let folderLock: any FileLock
  /// Held during a sync; always taken before `state`, which is free meanwhile for those who append.
  private let turn = Lock(())
  /// Held while payloads are replaced; always taken before the others.
  let rewriting = Lock(())

  /// Opens the journal of a folder, or starts one; makes the folder where needed.
  ///
  /// Scans the last segment and syncs it. `random` gives salts and the id: 64 random bits a call.
  /// Throws `locked` where a journal has the folder open, `newerFormat` without touching anything,
  /// and whatever keeps it from reading and writing the folder.
  public init(
    folder: String,
    configuration: Configuration = Configuration(),
    files: any FileSystem = PosixFiles(),
    random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) throws(JournalError) {
    let store = SegmentStore(files: files, folder: folder)
    let opening = try JournalOpening(store, configuration: configuration, random: random)
    self.folder = folder
    self.configuration = configuration
    id = opening.id
    recovery = opening.recovery
    folderLock = opening.lock
    state = Lock(opening.state(random: random))
  }

  /// The segments, oldest first.
  public var segments: [JournalSegment] { state.withLock { $0.segments } }

  /// Behind the last appended record.
  public var end: JournalPosition { state.withLock { $0.end } }

  /// Up to where everything survives a power cut.
  public var durableEnd: JournalPosition { state.withLock { $0.durableEnd } }

  /// Writes one record and returns the position after it; it is not synced.
  ///
  /// Either all of the record is in the journal afterwards or nothing of it. The position may
  /// change until the record is durable, should a sync fail.
  @discardableResult
  public func append(_ payload: UnsafeRawBufferPointer) throws(JournalError) -> JournalPosition {
    try makeRoom(for: CollectionOfOne(payload.count))
    let checksum = FrameFormat.checksum(payload)
    return try state.withLock { state throws(JournalError) in
      _ = try state.append { buffer, format, offset in
        buffer.append(payload, checksum: checksum, format: format, at: offset)
        offset += UInt64(FrameFormat.headBytes + payload.count)
      }
      return state.end
    }
  }

  /// Writes one record, as `append(_: UnsafeRawBufferPointer)` does.
  @discardableResult
  public func append(_ payload: [UInt8]) throws(JournalError) -> JournalPosition {
    try append([payload])
  }

  /// Writes records with one write and returns the position after the last; not synced.
  ///
  /// Either all of them are in the journal afterwards or none.
  @discardableResult
  public func append(_ payloads: [[UInt8]]) throws(JournalError) -> JournalPosition {
    var end = JournalPosition.start
    _ = try appendGroup(payloads, end: &end)
    return end
  }

  /// As `append`, but returns the position before the first record.
  func appendGroup(
    _ payloads: [[UInt8]],
    end: inout JournalPosition
  ) throws(JournalError) -> JournalPosition {
    try makeRoom(for: payloads.lazy.map { $0.count })
    return try state.withLock { state throws(JournalError) in
      let start = try state.append { buffer, format, offset in
        for payload in payloads {
          payload.withUnsafeBytes { bytes in
            let checksum = FrameFormat.checksum(bytes)
            buffer.append(bytes, checksum: checksum, format: format, at: offset)
          }
          offset += UInt64(FrameFormat.headBytes + payload.count)
        }
      }
      end = state.end
      return start
    }
  }

  /// Makes everything appended before the call survive a power cut.
  ///
  /// Others may append meanwhile. If the disk fails, the records go to a new segment and that one
  /// is synced; if that fails as well, the error is thrown and the records are kept in memory for
  /// the next try, before which nothing more is taken.
  public func sync() throws(JournalError) {
    try turn.withLock { _ throws(JournalError) in try syncInTurn() }
  }

  /// Syncs, then closes the segment that is appended to; the next record opens a new one.
  ///
  /// Does nothing to a journal without such a segment.
  public func seal() throws(JournalError) {
    try seal(onlyIf: { _ in true })
  }

  /// Makes whatever is appended from now on lie beyond a position that was given out once, although
  /// nothing of it is here any more.
  ///
  /// For whoever remembers a position behind `end`, as after a segment was deleted or the folder was
  /// replaced by an older copy. Does nothing where the journal is further already.
  public func goOn(beyond position: JournalPosition) throws(JournalError) {
    // A number that damage made up must leave some to give out.
    let number = min(position.segment, .max >> 1)
    try seal(onlyIf: { $0.name.number <= number })
    state.withLock { $0.skip(to: number) }
  }

  /// Removes a sealed segment with all its records; nothing happens if there is none.
  ///
  /// Works on a full disk. Who is reading the segment may read on to its end. A power cut soon
  /// after may bring the segment back.
  public func remove(segment number: UInt64) throws(JournalError) {
    try state.withLock { state throws(JournalError) in try state.remove(number) }
  }

  /// Syncs as far as possible and gives the folder back; every later call throws `closed`.
  ///
  /// Call `sync()` before to learn whether that worked.
  public func close() {
    turn.withLock { _ in
      do throws(JournalError) { try syncInTurn() } catch {
        // What is written stays written; only a power cut could still take it.
      }
      state.withLock { state in
        state.sealActive()
        state.isClosed = true
      }
    }
    folderLock.release()
  }

  /// In a child made by `fork`: lets go of the parent's folder without touching its files or lock.
  ///
  /// Takes no lock that a thread of the parent may have held. Nothing else may be called afterwards.
  package func leaveToParent() {
    folderLock.release()
  }

  /// Gives up what is not durable, after a failure was reported for it.
  func discardUnsynced() {
    turn.withLock { _ in state.withLock { $0.discardUnsynced() } }
  }

  /// Where a record ends now that was appended up to `position`.
  func currentPosition(of position: JournalPosition) -> JournalPosition {
    state.withLock { $0.currentPosition(of: position) }
  }

  private func syncInTurn() throws(JournalError) {
    var failure: SystemError?
    for _ in 0..<2 {
      let plan = try state.withLock { state throws(JournalError) in try state.beginSync() }
      guard let plan else { return }
      failure = plan.run()
      if state.withLock({ $0.endSync(plan, failure) }) { return }
    }
    // Without a failure of its own, each sync lost its segment to a write that found no space.
    throw failure.map { JournalError($0) } ?? .diskFull
  }

  private func seal(onlyIf condition: (JournalState.Active) -> Bool) throws(JournalError) {
    try turn.withLock { _ throws(JournalError) in
      // The bulk without the lock; then, under it, what came in meanwhile.
      try syncInTurn()
      try state.withLock { state throws(JournalError) in
        guard let active = state.active, condition(active) else { return }
        if let plan = try state.beginSync() {
          let failure = plan.run()
          state.endSync(plan, failure)
          if let failure { throw JournalError(failure) }
        }
        state.sealActive()
      }
    }
  }

  /// Refuses what is too large; seals or syncs when the limits for that are reached.
  private func makeRoom(for payloads: some Sequence<Int>) throws(JournalError) {
    var bytes = 0
    for count in payloads {
      guard count <= maxPayloadBytes else {
        throw .tooLarge(bytes: count, limit: maxPayloadBytes)
      }
      bytes += FrameFormat.headBytes + count
    }
    let (isFull, isBehind) = state.withLock { state -> (Bool, Bool) in
      guard let active = state.active, active.hasFrames else { return (false, false) }
      let unsynced = Int(active.bytes - active.durableBytes)
      let isBehind = unsynced > 0 && unsynced + bytes > configuration.maxUnsyncedBytes
      return (self.isFull(active, bytes), isBehind)
    }
    if isFull {
      try seal(onlyIf: { self.isFull($0, bytes) })
    } else if isBehind {
      try sync()
    }
  }

  /// The largest record this journal takes.
  var maxPayloadBytes: Int {
    min(configuration.maxPayloadBytes, FrameFormat.maxPayloadBytes)
  }

  private func isFull(_ active: JournalState.Active, _ more: Int) -> Bool {
    active.hasFrames && active.bytes + UInt64(more) > UInt64(configuration.maxSegmentBytes)
  }
}
