import FootfallSystem
import Foundation

extension Catalog {
  /// Jobs that may wait in one project, or for all data.
  public static let maxWaitingJobs = 100
  /// Jobs that are over and kept; the oldest go first.
  static let maxEndedJobs: Int64 = 1_000
  /// How often a job is begun before it is given up; an erasure never is.
  static let maxStarts: Int64 = 3

  /// Asks the server for a job, in this process or another; see `nextJob`.
  ///
  /// - Parameters:
  ///   - kind: a word of whoever does it.
  ///   - project: the project; nil for all data.
  ///   - document: all that has to be known.
  ///   - summary: what it does, without naming a person.
  ///   - actor: who asks.
  /// - Returns: the job, which waits.
  /// - Throws: `unknownProject`, `tooManyJobs`, or what SQLite says.
  public func addJob(
    kind: String,
    project: UInt32?,
    document: String,
    summary: String,
    by actor: Actor
  ) throws(CatalogError) -> Job {
    let job = try write { (database) throws(CatalogError) in
      if let project { try Self.requireProject(project, in: database) }
      let number = SQLValue.optional(project.map(Int64.init))
      let waiting = try database.rows(
        "SELECT count(*) FROM jobs WHERE state = 'queued' AND project IS ?",
        number
      ) { $0.integer(0) }
      guard waiting.first ?? 0 < Self.maxWaitingJobs else { throw .tooManyJobs }
      try database.run(
        """
        INSERT INTO jobs (kind, project, document, summary, actor, state, asked_at)
        VALUES (?, ?, ?, ?, ?, 'queued', ?)
        """,
        .text(kind),
        number,
        .text(document),
        .text(summary),
        .text(actor.description),
        .integer(clock.nowMs())
      )
      let id = database.lastRow
      try note(
        AuditAction(rawValue: "job.\(kind)"),
        project: project,
        summary,
        by: actor,
        in: database
      )
      return try Self.jobs(in: database, "id = ?", .integer(id)).first
    }
    guard let job else { throw .unknownJob(0) }
    jobsAdded.change { $0 += 1 }
    return job
  }

  /// The latest jobs, newest first.
  public func jobs(
    _ scope: JobScope,
    before: Int64? = nil,
    limit: Int = 100
  ) throws(CatalogError) -> [Job] {
    let (isAll, project): (Int64, Int64?) =
      switch scope {
      case .all: (1, nil)
      case .project(let project): (0, Int64(project))
      case .server: (0, nil)
      }
    return try read { (database) throws(CatalogError) in
      try Self.jobs(
        in: database,
        "(?1 = 1 OR project IS ?2) AND (?3 IS NULL OR id < ?3) ORDER BY id DESC LIMIT ?4",
        .integer(isAll),
        .optional(project),
        .optional(before),
        .integer(Int64(min(max(1, limit), 1_000)))
      )
    }
  }

  /// One job; nil where there is none, or not any more.
  public func job(_ id: Int64) throws(CatalogError) -> Job? {
    try read { (database) throws(CatalogError) in
      try Self.jobs(in: database, "id = ?", .integer(id)).first
    }
  }

  /// Takes a job back: one that waits never begins, one that is under way stops where it can.
  ///
  /// An erasure that began goes on to its end, because a part of it is written down already.
  ///
  /// - Throws: `unknownJob`, `jobIsOver`, `erasureUnderWay`, or what SQLite says.
  public func cancelJob(_ id: Int64, in scope: JobScope, by actor: Actor) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      guard let job = try Self.jobs(in: database, "id = ?", .integer(id)).first, scope.holds(job)
      else { throw .unknownJob(id) }
      guard !job.state.isOver else { throw .jobIsOver(id) }
      guard job.state == .queued || job.kind != "erase" else { throw .erasureUnderWay(id) }
      if job.state == .queued {
        try Self.end(id, .cancelled, [:], nil, atMs: clock.nowMs(), in: database)
      } else {
        try database.run("UPDATE jobs SET is_stopping = 1 WHERE id = ?", .integer(id))
      }
      try note("job.cancel", project: job.project, "\(job.kind) \(id)", by: actor, in: database)
    }
  }
}

// MARK: - For the server, which does them

extension Catalog {
  /// Puts what was under way when the server stopped back into the queue; at its start.
  ///
  /// What was begun three times and never ended is given up, but for an erasure.
  public func resumeJobs() throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      for job in try Self.jobs(in: database, "state = 'running' ORDER BY id") {
        let starts = try database.rows("SELECT starts FROM jobs WHERE id = ?", .integer(job.id)) {
          $0.integer(0)
        }
        if job.document.isEmpty {
          // All of it was done, but for saying so.
          try Self.end(job.id, .done, job.counts, nil, atMs: clock.nowMs(), in: database)
        } else if job.isStopping {
          try Self.end(job.id, .cancelled, [:], nil, atMs: clock.nowMs(), in: database)
        } else if job.kind != "erase", starts.first ?? 0 >= Self.maxStarts {
          let reason = "The server stopped \(Self.maxStarts) times while it was at it."
          try Self.end(job.id, .failed, [:], reason, atMs: clock.nowMs(), in: database)
        } else {
          try Self.requeue(job.id, in: database)
        }
      }
    }
  }

  /// Takes the next job, which is under way from then on; nil while none waits.
  ///
  /// What is to be erased comes before all else, then the order in which they were asked for counts.
  public func nextJob() throws(CatalogError) -> Job? {
    // Asking costs no change: mostly there is none.
    let waiting = try read { (database) throws(CatalogError) in
      try database.rows("SELECT 1 FROM jobs WHERE state = 'queued' LIMIT 1") { $0.integer(0) }
    }
    guard !waiting.isEmpty else { return nil }
    return try write { (database) throws(CatalogError) in
      let found = try Self.jobs(
        in: database,
        "state = 'queued' ORDER BY kind IN ('erase', 'count') DESC, id LIMIT 1"
      )
      guard let job = found.first else { return nil }
      try database.run(
        """
        UPDATE jobs SET state = 'running', started_at = ?, starts = starts + 1, progress = NULL
        WHERE id = ?
        """,
        .integer(clock.nowMs()),
        .integer(job.id)
      )
      return try Self.jobs(in: database, "id = ?", .integer(job.id)).first
    }
  }

  /// Whether any job waits or is under way.
  public func hasOpenJobs() throws(CatalogError) -> Bool {
    try read { (database) throws(CatalogError) in
      try !database.rows("SELECT 1 FROM jobs WHERE state IN ('queued', 'running') LIMIT 1") {
        $0.integer(0)
      }.isEmpty
    }
  }

  /// Puts a job back that the server stops in the middle of; it does not count as begun.
  public func putBackJob(_ id: Int64) throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      try Self.requeue(id, in: database)
      try database.run("UPDATE jobs SET starts = max(0, starts - 1) WHERE id = ?", .integer(id))
    }
  }

  /// Keeps how far a job is, in thousandths.
  ///
  /// - Returns: whether it was asked to stop.
  public func noteJob(_ id: Int64, progress: Int?) throws(CatalogError) -> Bool {
    let known = try read { (database) throws(CatalogError) in
      try Self.jobs(in: database, "id = ?", .integer(id)).first
    }
    if let progress, progress != known?.progress {
      try write { (database) throws(CatalogError) in
        _ = try database.run(
          "UPDATE jobs SET progress = ? WHERE id = ?",
          .integer(Int64(progress)),
          .integer(id)
        )
      }
    }
    return known?.isStopping ?? true
  }

  /// Says what became of a job.
  ///
  /// A document that names a person is nowhere in the files any more before it is told that the job is done.
  ///
  /// - Throws: what SQLite says, `busy` when another process goes on reading; calling again is right.
  public func endJob(
    _ id: Int64,
    _ state: Job.State,
    counts: [String: Int] = [:],
    problem: String? = nil
  ) throws(CatalogError) {
    if state == .done {
      try write { (database) throws(CatalogError) in
        _ = try database.run(
          "UPDATE jobs SET document = '', counts = ? WHERE id = ?",
          .text(Self.text(of: counts)),
          .integer(id)
        )
      }
      try leaveNothing()
    }
    try write { (database) throws(CatalogError) in
      try Self.end(id, state, counts, problem, atMs: clock.nowMs(), in: database)
    }
    if state != .done { try leaveNothing() }
  }

  /// Blocks until somebody asked for a job in this process, but no longer than that; others are found by
  /// asking `nextJob`.
  ///
  /// - Parameters:
  ///   - known: what the last call returned; 0 at first.
  ///   - seconds: how long to wait at most.
  /// - Returns: how many jobs were asked for in this process so far.
  public func waitForJobs(after known: Int, seconds: Double) -> Int {
    jobsAdded.wait(timeoutSeconds: seconds) { $0 > known ? $0 : nil }
      ?? jobsAdded.withLock { $0 }
  }

  /// Ends a wait for jobs.
  public func wakeJobs() { jobsAdded.change { $0 += 1 } }

  /// Forgets jobs that a copy of the catalogue must not begin again: all but erasures.
  package func forgetJobsOfCopy() throws(CatalogError) {
    try write { (database) throws(CatalogError) in
      _ = try database.run(
        "DELETE FROM jobs WHERE kind <> 'erase' OR state NOT IN ('queued', 'running')"
      )
    }
  }
}

extension Catalog {
  private static func requeue(_ id: Int64, in database: Database) throws(CatalogError) {
    try database.run("UPDATE jobs SET state = 'queued' WHERE id = ?", .integer(id))
  }

  private static func end(
    _ id: Int64,
    _ state: Job.State,
    _ counts: [String: Int],
    _ problem: String?,
    atMs: Int64,
    in database: Database
  ) throws(CatalogError) {
    try database.run(
      """
      UPDATE jobs SET state = ?, document = '', ended_at = ?, counts = ?, problem = ?,
        progress = CASE WHEN ?1 = 'done' THEN 1000 ELSE progress END
      WHERE id = ?
      """,
      .text(state.rawValue),
      .integer(atMs),
      .text(text(of: counts)),
      .optional(problem),
      .integer(id)
    )
    try database.run(
      """
      DELETE FROM jobs WHERE state NOT IN ('queued', 'running') AND id <= (
        SELECT id FROM jobs WHERE state NOT IN ('queued', 'running')
        ORDER BY id DESC LIMIT 1 OFFSET ?
      )
      """,
      .integer(Self.maxEndedJobs)
    )
  }

  private static func jobs(
    in database: Database,
    _ condition: String,
    _ values: SQLValue...
  ) throws(CatalogError) -> [Job] {
    try database.rows(
      """
      SELECT id, kind, project, document, summary, actor, state, asked_at, started_at, ended_at,
        progress, counts, problem, is_stopping
      FROM jobs WHERE \(condition)
      """,
      values
    ) { row in
      Job(
        id: row.integer(0),
        kind: row.text(1),
        project: row.isNull(2) ? nil : row.project(2),
        document: row.text(3),
        summary: row.text(4),
        actor: row.text(5),
        state: Job.State(rawValue: row.text(6)) ?? .failed,
        askedAtMs: row.integer(7),
        startedAtMs: row.optionalInteger(8),
        endedAtMs: row.optionalInteger(9),
        progress: row.optionalInteger(10).map { Int($0) },
        counts: numbers(row.text(11)),
        problem: row.optionalText(12),
        isStopping: row.integer(13) == 1
      )
    }
  }

  private static func text(of counts: [String: Int]) -> String {
    let numbers = counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\(numbers.joined(separator: ","))}"
  }

  private static func numbers(_ text: String) -> [String: Int] {
    do {
      return try JSONDecoder().decode([String: Int].self, from: Data(text.utf8))
    } catch {
      // Written by `end` alone; what a damaged file holds is no number.
      return [:]
    }
  }
}
