internal import FootfallJournal
internal import FootfallSystem
internal import Synchronization

/// What became of records, counted.
final class Outcomes: Sendable {
  let refused = Atomic<UInt64>(0)
  private let records = Atomic<UInt64>(0)
  private let recordBytes = Atomic<UInt64>(0)
  private let failed = Atomic<UInt64>(0)
  private let hasProblem = Atomic<Bool>(false)
  private let problem = Lock<String?>(nil)
  private let writing = Lock<String?>(nil)

  func note(_ result: Result<JournalPosition, JournalError>, bytes: Int) {
    switch result {
    case .success:
      records.add(1, ordering: .relaxed)
      recordBytes.add(UInt64(bytes), ordering: .relaxed)
      noteWorks()
    case .failure(let error):
      failed.add(1, ordering: .relaxed)
      note(problem: error)
      // Of such a record its sender is told; others are taken.
      if case .tooLarge = error { break }
      note(refusal: error)
    }
  }

  /// Why nothing can be written; nil when the last record could, or nobody tried.
  var refusal: String? { writing.withLock { $0 } }

  func note(refusal error: JournalError) {
    // In this order: `noteWorks` looks at the problem first.
    writing.withLock { $0 = error.description }
    note(problem: error)
  }

  /// Takes note that something could be written.
  func noteWorks() {
    guard hasProblem.exchange(false, ordering: .relaxed) else { return }
    problem.withLock { $0 = nil }
    writing.withLock { $0 = nil }
  }

  func note(problem error: JournalError) {
    problem.withLock { $0 = error.description }
    hasProblem.store(true, ordering: .relaxed)
  }

  var status: IngestLogStatus {
    var status = IngestLogStatus()
    status.records = records.load(ordering: .relaxed)
    status.recordBytes = recordBytes.load(ordering: .relaxed)
    status.failedRecords = failed.load(ordering: .relaxed)
    status.refusedRecords = refused.load(ordering: .relaxed)
    status.problem = problem.withLock { $0 }
    return status
  }
}
