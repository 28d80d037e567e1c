import Catalog

/// What a job is called, where it stands and what it came to, as people say it.
struct JobWords {
  let job: Job

  init(_ job: Job) { self.job = job }

  /// What it does.
  var title: String {
    switch job.kind {
    case "count": "Count events"
    case "erase": "Erase events"
    case "export": "Export"
    case "import": "Import"
    case "backup": "Copy of all data"
    default: job.kind
    }
  }

  /// Where it stands.
  var state: String {
    switch job.state {
    case .queued: "waits for its turn"
    case .running where job.isStopping: "stops …"
    case .running: "under way" + (job.progress.map { " \($0 / 10) %" } ?? "")
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .done: "done"
    }
  }

  /// What it came to, in a sentence or less; empty where nothing is known of it.
  var outcome: String {
    guard !job.counts.isEmpty else { return "" }
    switch job.kind {
    case "count": return "\(events(count("events"))) would be erased"
    case "erase": return "\(events(count("events"))) erased"
    case "export": return "\(events(count("events"))), \(count("bytes").byteSize)"
    case "import": return imported
    default:
      return job.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.grouped)" }
        .joined(separator: ", ")
    }
  }

  private var imported: String {
    let (twice, erased, unread) = (count("duplicates"), count("erased"), count("unreadable"))
    let parts = [
      "\(events(count("stored"))) added",
      twice == 0 ? nil : "\(twice.grouped) were there already",
      erased == 0 ? nil : "\(erased.grouped) left out because they were erased here before",
      unread == 0
        ? nil
        : "\(unread.grouped) \(unread == 1 ? "line is no event and was" : "lines are no events and were") left out",
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }

  private func count(_ name: String) -> Int { job.counts[name] ?? 0 }

  private func events(_ count: Int) -> String {
    "\(count.grouped) \(count == 1 ? "event" : "events")"
  }
}

extension BinaryInteger {
  /// A number of bytes in the largest unit that leaves a whole number, such as `3.4 MB`; a kilobyte is 1,000.
  var byteSize: String {
    let units = ["KB", "MB", "GB", "TB"]
    guard self >= 1_000 else { return "\(self) \(self == 1 ? "byte" : "bytes")" }
    var (unit, size) = (0, Double(self) / 1_000)
    while size >= 999.95, unit + 1 < units.count { (unit, size) = (unit + 1, size / 1_000) }
    let tenths = Int((size * 10).rounded())
    return "\((tenths / 10).grouped)\(tenths % 10 == 0 ? "" : ".\(tenths % 10)") \(units[unit])"
  }
}
