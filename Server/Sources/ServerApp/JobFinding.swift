import Catalog

/// What the server was asked to do and has not done, or could not.
struct JobFinding {
  /// For how long a job that failed is told of, in milliseconds; a day.
  private static let tellsMs: Int64 = 86_400_000

  private let jobs: [Job]
  private let nowMs: Int64

  init(_ jobs: [Job], nowMs: Int64) {
    self.jobs = jobs
    self.nowMs = nowMs
  }

  var finding: Finding {
    let failed = jobs.filter { job in
      job.state == .failed && nowMs - (job.endedAtMs ?? 0) < Self.tellsMs
    }
    var parts = jobs.filter { $0.state == .running }.map { job in
      "\(job.id), \(job.kind), under way" + (job.progress.map { " (\($0 / 10) %)" } ?? "")
    }
    let waiting = jobs.count { $0.state == .queued }
    if waiting > 0 { parts.append("\(waiting) waiting") }
    parts += failed.prefix(3).map {
      "\($0.id), \($0.kind), failed: \($0.problem ?? "no reason given")"
    }
    if failed.count > 3 { parts.append("\(failed.count - 3) more failed in the last day") }
    return Finding(
      "Jobs",
      parts.isEmpty ? "none waiting" : parts.joined(separator: "; "),
      isProblem: !failed.isEmpty
    )
  }
}
