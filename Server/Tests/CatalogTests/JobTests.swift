import Testing

@testable import Catalog

@Suite struct `Jobs` {
  private func ask(
    _ catalog: Catalog,
    _ kind: String = "export",
    project: UInt32? = 1,
    document: String = #"{"user":"john"}"#
  ) throws -> Job {
    try catalog.addJob(
      kind: kind,
      project: project,
      document: document,
      summary: "one user",
      by: .user("eve")
    )
  }

  private func catalog() throws -> (Fixture, Catalog) {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    _ = try catalog.createProject(name: "Notes")
    return (fixture, catalog)
  }

  @Test func `wait for their turn in order, what is to be erased before all else`() throws {
    let (fixture, catalog) = try catalog()
    defer { _ = fixture }
    for kind in ["export", "import", "count", "backup", "erase"] { _ = try ask(catalog, kind) }
    var order: [String] = []
    while let job = try catalog.nextJob() {
      #expect(job.state == .running && job.startedAtMs != nil)
      order.append(job.kind)
      try catalog.endJob(job.id, .done, counts: ["events": 3])
    }
    #expect(order == ["count", "erase", "export", "import", "backup"])
    #expect(try catalog.jobs(.all).map(\.kind) == ["erase", "backup", "count", "import", "export"])
    #expect(try catalog.jobs(.all).allSatisfy { $0.state == .done && $0.counts == ["events": 3] })
  }

  @Test func `name nobody once they are over, and never in their summary`() throws {
    let (fixture, catalog) = try catalog()
    defer { _ = fixture }
    for end in [Job.State.done, .failed, .cancelled] {
      let job = try ask(catalog)
      #expect(try catalog.job(job.id)?.document.contains("john") == true)
      _ = try catalog.nextJob()
      try catalog.endJob(job.id, end, problem: "a reason")
      let ended = try #require(try catalog.job(job.id))
      #expect(ended.document.isEmpty && ended.endedAtMs != nil && ended.problem == "a reason")
    }
    #expect(try !catalog.audit().contains { $0.detail.contains("john") })
    #expect(try catalog.audit().first?.action == "job.export")
  }

  @Test
  func `that wait are cancelled at once, that run are told, and an erasure that began is not`()
    throws
  {
    let (fixture, catalog) = try catalog()
    defer { _ = fixture }
    let (waiting, running) = (try ask(catalog), try ask(catalog))
    try catalog.cancelJob(waiting.id, in: .project(1), by: .server)
    #expect(try catalog.job(waiting.id)?.state == .cancelled)
    #expect(throws: CatalogError.jobIsOver(waiting.id)) {
      try catalog.cancelJob(waiting.id, in: .all, by: .server)
    }
    #expect(try catalog.nextJob()?.id == running.id)
    #expect(try !catalog.noteJob(running.id, progress: 250))
    try catalog.cancelJob(running.id, in: .all, by: .server)
    #expect(try catalog.noteJob(running.id, progress: 500))
    #expect(try catalog.job(running.id)?.progress == 500)
    // Nobody stopped it before the server did: the next start does not begin it again.
    try catalog.resumeJobs()
    #expect(try catalog.job(running.id)?.state == .cancelled)
    let erasure = try ask(catalog, "erase")
    _ = try catalog.nextJob()
    #expect(throws: CatalogError.erasureUnderWay(erasure.id)) {
      try catalog.cancelJob(erasure.id, in: .all, by: .server)
    }
    #expect(throws: CatalogError.unknownJob(erasure.id)) {
      try catalog.cancelJob(erasure.id, in: .project(2), by: .server)
    }
  }

  @Test(arguments: ["export", "erase"])
  func `go on after a stop; after the third only an erasure does`(kind: String) throws {
    let (fixture, catalog) = try catalog()
    defer { _ = fixture }
    let job = try ask(catalog, kind)
    for start in 1...3 {
      #expect(try catalog.nextJob()?.id == job.id)
      try catalog.resumeJobs()
      let state = try #require(try catalog.job(job.id)).state
      #expect(state == (start < 3 || kind == "erase" ? .queued : .failed))
    }
    #expect(try catalog.job(job.id)?.problem?.contains("3 times") == (kind == "erase" ? nil : true))
  }

  @Test func `that a stopping server puts back were not begun`() throws {
    let (fixture, catalog) = try catalog()
    defer { _ = fixture }
    let job = try ask(catalog)
    for _ in 1...5 {
      #expect(try catalog.nextJob()?.id == job.id)
      try catalog.putBackJob(job.id)
    }
    try catalog.resumeJobs()
    #expect(try catalog.job(job.id)?.state == .queued)
  }

  @Test func `are bounded in number, and belong to a project there is`() throws {
    let (fixture, catalog) = try catalog()
    defer { _ = fixture }
    for _ in 0..<Catalog.maxWaitingJobs { _ = try ask(catalog) }
    #expect(throws: CatalogError.tooManyJobs) { try ask(catalog) }
    _ = try ask(catalog, "backup", project: nil)
    #expect(throws: CatalogError.unknownProject(7)) { try ask(catalog, project: 7) }
    #expect(try catalog.jobs(.project(1), limit: 1_000).count == Catalog.maxWaitingJobs)
    #expect(try catalog.jobs(.server).map(\.kind) == ["backup"])
    #expect(try catalog.jobs(.all, before: 3).map(\.id) == [2, 1])
  }

  @Test func `of a copy are not begun again, but for erasures that were asked for`() throws {
    let (fixture, catalog) = try catalog()
    defer { _ = fixture }
    for kind in ["backup", "export", "erase"] { _ = try ask(catalog, kind) }
    let path = fixture.path + ".copy"
    try catalog.copy(to: path)
    let copy = try Catalog(path: path)
    try copy.forgetJobsOfCopy()
    #expect(try copy.jobs(.all).map(\.kind) == ["erase"])
    #expect(try catalog.jobs(.all).count == 3)
  }

  @Test(arguments: [Actor.user("eve"), .key(7), .commandLine, .server])
  func `know who asked`(actor: Actor) {
    #expect(Actor(description: actor.description) == actor)
  }

  @Test func `asked for in this process end a wait, and are found without one`() throws {
    let (fixture, catalog) = try catalog()
    defer { _ = fixture }
    _ = try ask(catalog)
    #expect(catalog.waitForJobs(after: 0, seconds: 60) == 1)
    #expect(catalog.waitForJobs(after: 1, seconds: 0) == 1)
    catalog.wakeJobs()
    #expect(catalog.waitForJobs(after: 1, seconds: 60) == 2)
  }
}
