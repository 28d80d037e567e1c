import FootfallSystem

/// Group commit: makes records durable, many with one sync, and tells each submitter when.
///
/// A lone record is synced at once. Records gather only while a sync is running, and go together
/// into the next one: there is no timer. The committer should be the only one who appends to its
/// journal, since after a failed group it gives up everything that is not durable.
public final class GroupCommitter: Sendable {
  /// What became of a record: the position after it, durable, or why it is not in the journal.
  public typealias Completion = @Sendable (Result<JournalPosition, JournalError>) -> Void

  private struct Submission {
    let payload: [UInt8]
    let completion: Completion
  }

  private struct State {
    var pending: [Submission] = []
    /// Bytes submitted and not settled.
    var pendingBytes = 0
    var submitted: UInt64 = 0
    var settled: UInt64 = 0
    var isStopping = false
  }

  private let journal: Journal
  private let maxPendingBytes: Int
  private let state: Monitor<State>
  private let thread: SystemThread

  /// Starts the committer's thread.
  ///
  /// `maxPendingBytes` bounds the memory for records that are not settled yet.
  public init(journal: Journal, maxPendingBytes: Int = 64 << 20) throws(JournalError) {
    self.journal = journal
    self.maxPendingBytes = maxPendingBytes
    let state = Monitor(State())
    self.state = state
    thread = try mappingErrors { () throws(SystemError) in
      try SystemThread(name: "journal") { Self.commitGroups(state, journal) }
    }
  }

  deinit {
    state.change { $0.isStopping = true }
  }

  /// Hands over a record; any thread, never waits for the disk.
  ///
  /// `completion` is called once, on the committer's thread, after the sync or with the error.
  /// False, and no call, if the record would exceed `maxPendingBytes` or the committer is stopped.
  public func submit(_ payload: [UInt8], completion: @escaping Completion) -> Bool {
    let wakes = state.withLock { state -> Bool? in
      let bytes = Self.cost(payload)
      guard !state.isStopping, state.pendingBytes + bytes <= maxPendingBytes else { return nil }
      state.pendingBytes += bytes
      state.submitted += 1
      state.pending.append(Submission(payload: payload, completion: completion))
      return state.pending.count == 1
    }
    guard let wakes else { return false }
    // The thread looks for more by itself after each group; it only sleeps on an empty list.
    if wakes { state.change { _ in } }
    return true
  }

  /// Bytes that were submitted and are not settled yet.
  public var pendingBytes: Int { state.withLock { $0.pendingBytes } }

  /// Returns when everything submitted before is settled.
  ///
  /// Not to be called from a completion.
  public func drain() {
    let target = state.withLock { $0.submitted }
    state.wait { $0.settled >= target ? () : nil }
  }

  /// Takes nothing more, settles what was submitted, and ends the thread.
  ///
  /// Not to be called from a completion.
  public func stop() {
    state.change { $0.isStopping = true }
    thread.join()
  }

  private static func cost(_ payload: [UInt8]) -> Int {
    // An array's and a closure's own memory, so that empty records cannot pile up without end.
    payload.count + 96
  }

  private static func commitGroups(_ state: Monitor<State>, _ journal: Journal) {
    while let group = nextGroup(state) {
      commit(group, journal)
      let bytes = group.reduce(0) { $0 + cost($1.payload) }
      state.change {
        $0.pendingBytes -= bytes
        $0.settled += UInt64(group.count)
      }
    }
  }

  /// Waits for records; nil when stopped and nothing is left.
  private static func nextGroup(_ state: Monitor<State>) -> [Submission]? {
    state.wait { state -> [Submission]?? in
      guard state.pending.isEmpty else {
        defer { state.pending = [] }
        return .some(state.pending)
      }
      return state.isStopping ? .some(nil) : nil
    }
  }

  private static func commit(_ submissions: [Submission], _ journal: Journal) {
    // One record that the journal would refuse must not take the others with it.
    let limit = journal.maxPayloadBytes
    let group = submissions.filter { $0.payload.count <= limit }
    for record in submissions where record.payload.count > limit {
      record.completion(.failure(.tooLarge(bytes: record.payload.count, limit: limit)))
    }
    guard !group.isEmpty else { return }
    do throws(JournalError) {
      var end = JournalPosition.start
      var position = try journal.appendGroup(group.map(\.payload), end: &end)
      do throws(JournalError) { try journal.sync() } catch {
        journal.discardUnsynced()
        throw error
      }
      for record in group {
        position.offset += UInt64(FrameFormat.headBytes + record.payload.count)
        record.completion(.success(journal.currentPosition(of: position)))
      }
    } catch {
      for record in group { record.completion(.failure(error)) }
    }
  }
}
