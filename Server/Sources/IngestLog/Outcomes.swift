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

  func note(_ result: Result<JournalPosition, JournalError>, bytes: Int) {
    switch result {
    case .success:
      records.add(1, ordering: .relaxed)
      recordBytes.add(UInt64(bytes), ordering: .relaxed)
      if hasProblem.exchange(false, ordering: .relaxed) { problem.withLock { $0 = nil } }
    case .failure(let error):
      failed.add(1, ordering: .relaxed)
      note(problem: error)
    }
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
