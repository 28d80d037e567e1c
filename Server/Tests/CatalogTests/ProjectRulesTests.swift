import Catalog
import Testing

@Suite struct `A project's rules` {
  @Test func `are kept whole, and replaced whole`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes").id
    #expect(try catalog.rules(project: project) == ProjectRules())
    let rules = ProjectRules(
      retentionDays: 365,
      names: [.init(name: "A = B", days: 7), .init(name: "Song Played", days: 400)],
      eventsPerDay: 1_000
    )
    try catalog.setRules(rules, project: project)
    #expect(try fixture.open().rules(project: project) == rules)
    #expect(try catalog.quotas() == [project: 1_000])
    #expect(
      rules.summary
        == "events kept 365 days, “A = B” 7 days, “Song Played” 400 days; at most 1,000 events a day"
    )
    try catalog.setRules(ProjectRules(), project: project)
    #expect(try catalog.rules(project: project) == ProjectRules())
    #expect(try catalog.quotas() == [:])
  }

  @Test(arguments: [
    ProjectRules(retentionDays: 0), ProjectRules(retentionDays: 36_501),
    ProjectRules(eventsPerDay: 0), ProjectRules(names: [.init(name: "", days: 1)]),
    ProjectRules(names: [.init(name: "A", days: 0)]),
    ProjectRules(names: [.init(name: "A", days: 1), .init(name: "A", days: 2)]),
    ProjectRules(names: [.init(name: String(repeating: "x", count: 257), days: 1)]),
    ProjectRules(names: (0...Catalog.maxNameRetentions).map { .init(name: "\($0)", days: 1) }),
  ])
  func `that make no sense are refused and change nothing`(rules: ProjectRules) throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    #expect(throws: CatalogError.self) { try catalog.setRules(rules, project: project) }
    #expect(try catalog.rules(project: project) == ProjectRules())
  }

  @Test func `runs of the retention add up`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes").id
    #expect(try catalog.retentionRun(project: project) == nil)
    try catalog.noteRetention(project: project, removed: 5)
    try catalog.noteRetention(project: project, removed: 2)
    let run = try #require(try catalog.retentionRun(project: project))
    #expect((run.removed, run.removedInTotal) == (2, 7))
    #expect(run.atMs == fixture.clock.nowMs())
  }

  @Test func `usage adds up by day, and old days go`() throws {
    let catalog = try Fixture().open()
    let one = DayUsage(project: 1, day: 20_000, events: 3, bytes: 300, refused: 1)
    try catalog.addUsage([one, DayUsage(project: 2, day: 20_000, events: 1, bytes: 10)])
    try catalog.addUsage([one])
    #expect(
      try catalog.usage(project: 1, fromDay: 20_000)
        == [DayUsage(project: 1, day: 20_000, events: 6, bytes: 600, refused: 2)]
    )
    #expect(try catalog.usage(fromDay: 0).count == 2)
    // A day far ahead, as of a clock that was set wrong, takes none with it.
    try catalog.addUsage([DayUsage(project: 1, day: 30_000, events: 1)])
    #expect(try catalog.usage(fromDay: 0).map(\.day) == [20_000, 20_000, 30_000])
    let days = (1..<Catalog.usageDays - 1).map { DayUsage(project: 1, day: 20_000 + $0, events: 1) }
    try catalog.addUsage(days)
    #expect(try catalog.usage(fromDay: 0).first?.day == 20_000)
    try catalog.addUsage([DayUsage(project: 1, day: 25_000, events: 1)])
    #expect(try catalog.usage(fromDay: 0).first?.day == 20_001)
  }
}

@Suite struct `The data folder's size` {
  @Test func `is kept by day, the last one noted`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let today = fixture.clock.nowMs() / 86_400_000
    try catalog.noteDisk(bytes: 5)
    try catalog.noteDisk(bytes: 7)
    fixture.advance(milliseconds: 86_400_000)
    try catalog.noteDisk(bytes: 9)
    #expect(
      try catalog.diskDays(fromDay: 0)
        == [DiskDay(day: today, bytes: 7), DiskDay(day: today + 1, bytes: 9)]
    )
    #expect(try catalog.diskDays(fromDay: today + 1).count == 1)
  }
}

@Suite struct `Replacing a key` {
  @Test(arguments: [KeyKind.ingest, .secret])
  func `lets both work for the overlap, and then the new one alone`(kind: KeyKind) throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let other = try fixture.open()
    let project = try catalog.createProject(name: "Notes").id
    let old = try catalog.createKey(project: project, kind: kind, label: "App", role: .viewer)
    let new = try catalog.rotateKey(old.key.id, project: project, overlap: .seconds(3_600))
    #expect((new.key.kind, new.key.label, new.key.role) == (kind, "App", old.key.role))
    func works(_ key: CreatedKey, _ catalog: Catalog) throws -> Bool {
      if kind == .secret { return try catalog.project(secretKey: key.plaintext) == project }
      return catalog.resolve(ingestKey: key.plaintext) == .project(project, keyID: key.key.id)
    }
    fixture.advance(milliseconds: 3_599_999)
    for catalog in [catalog, other] {
      #expect(try works(old, catalog))
      #expect(try works(new, catalog))
    }
    #expect(try catalog.keys(project: project).map(\.isRevoked) == [false, false])
    fixture.advance(milliseconds: 1)
    for catalog in [catalog, other] {
      #expect(try !works(old, catalog))
      #expect(try works(new, catalog))
    }
    #expect(try catalog.keys(project: project).map(\.isRevoked) == [true, false])
    if kind == .ingest { #expect(catalog.resolve(ingestKey: old.plaintext) == .revoked) }
  }

  @Test func `is for keys made here that work, and once`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    let adopted = try catalog.adoptKey(project: project, kind: .phase, value: "phase-key")
    #expect(throws: CatalogError.self) { try catalog.rotateKey(adopted.id, project: project) }
    let revoked = try catalog.createKey(project: project, kind: .ingest).key.id
    try catalog.revokeKey(revoked, project: project)
    #expect(throws: CatalogError.self) { try catalog.rotateKey(revoked, project: project) }
    let key = try catalog.createKey(project: project, kind: .ingest).key.id
    #expect(throws: CatalogError.self) {
      try catalog.rotateKey(key, project: project, overlap: .seconds(401 * 86_400))
    }
    _ = try catalog.rotateKey(key, project: project)
    #expect(throws: CatalogError.self) { try catalog.rotateKey(key, project: project) }
    #expect(throws: CatalogError.unknownKey(77)) { try catalog.rotateKey(77, project: project) }
    #expect(throws: CatalogError.unknownKey(key)) { try catalog.rotateKey(key, project: 99) }
  }

  @Test func `facts of a key are at hand for every request`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    let key = try catalog.createKey(project: project, kind: .ingest, label: "macos", isTest: true)
    #expect(
      catalog.facts(ofIngestKey: key.key.id)
        == KeyFacts(kind: .ingest, label: "macos", isTest: true)
    )
    try catalog.revokeKey(key.key.id, project: project)
    #expect(catalog.facts(ofIngestKey: key.key.id) == nil)
  }
}
