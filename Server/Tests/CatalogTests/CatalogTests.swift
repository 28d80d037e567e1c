import Catalog
import Foundation
import Testing

@Suite struct `Catalogue file` {
  @Test func `what one process writes the next one reads`() throws {
    let fixture = try Fixture()
    let made = try fixture.open().createProject(name: "  Notes  ", timeZone: "Europe/Berlin")
    let projects = try fixture.open().projects()
    #expect(projects == [made])
    #expect(made.name == "Notes")
    #expect(made.id == 1)
  }

  @Test func `it is readable by its owner alone`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    _ = try catalog.createProject(name: "Notes")
    for file in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: fixture.folder + "/" + file
      )
      #expect(attributes[.posixPermissions] as? Int == 0o600, "\(file)")
    }
  }

  @Test func `what was changed is in the file itself, not in the log beside it`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let key = try catalog.createKey(project: project.id, kind: .ingest)
    let copy = fixture.folder + "/copy.sqlite"
    try FileManager.default.copyItem(atPath: fixture.path, toPath: copy)
    let copied = try Catalog(path: copy)
    #expect(try copied.projects() == [project])
    #expect(copied.resolve(ingestKey: key.plaintext) == .project(project.id, keyID: key.key.id))
  }

  @Test func `a newer format is refused with the version it needs, and left alone`() throws {
    let fixture = try Fixture()
    _ = try fixture.open().createProject(name: "Notes")
    let newer = Catalog.format + 1
    try sqlite(fixture.path, "PRAGMA user_version = \(newer); UPDATE meta SET value = '9.1.0'")
    #expect(
      throws: CatalogError.newerFormat(found: newer, supported: Catalog.format, needs: "9.1.0")
    ) { try fixture.open() }
    try sqlite(fixture.path, "PRAGMA user_version = \(Catalog.format)")
    #expect(try fixture.open().projects().map(\.name) == ["Notes"])
  }

  @Test(arguments: 1..<Catalog.format)
  func `an older format is brought to this one with all it holds`(format: Int) throws {
    let fixture = try Fixture()
    try sqlite(
      fixture.path,
      Catalog.script(ofFormat: format) + """
        ;INSERT INTO projects (name, time_zone, created_at) VALUES ('Notes', 'UTC', 5);
        INSERT INTO users (name, created_at) VALUES ('owner', 5);
        INSERT INTO keys (project, kind, label, value, hint, created_at)
          VALUES (1, 'ingest', '', 'ff_pub_old', 'ff_pub_…', 5);
        """
    )
    let catalog = try fixture.open()
    #expect(try catalog.projects().map(\.name) == ["Notes"])
    #expect(try catalog.projects().map(\.reckoning) == [Reckoning()])
    #expect(try catalog.users().map(\.role) == [.owner])
    #expect(catalog.resolve(ingestKey: "ff_pub_old") == .project(1, keyID: 1))
    #expect(try catalog.setRemoteSettings("{}", project: 1).version == 1)
    #expect(try catalog.rules(project: 1) == ProjectRules())
    #expect(try catalog.keys(project: 1).map(\.isTest) == [false])
  }

  @Test(arguments: [-1, 1 << 32, Int64.max, .min])
  func `a number that is none of a project is read all the same`(number: Int64) throws {
    let fixture = try Fixture()
    let project = try fixture.open().createProject(name: "Notes")
    _ = try fixture.open().createKey(project: project.id, kind: .ingest)
    try sqlite(
      fixture.path,
      "UPDATE projects SET id = \(number); UPDATE keys SET project = \(number)"
    )
    #expect(try fixture.open().projects().map(\.name) == ["Notes"])
  }

  @Test func `a missing folder is an error that names the path`() throws {
    let error = #expect(throws: CatalogError.self) {
      try Catalog(path: "/nonexistent/catalog.sqlite")
    }
    #expect(error.map { "\($0)".contains("/nonexistent/catalog.sqlite") } == true)
  }

  @Test func `two processes that start at once both find a whole catalogue`() async throws {
    let fixture = try Fixture()
    let starts = try await withThrowingTaskGroup(of: FirstStart?.self) { group in
      for _ in 0..<4 {
        group.addTask { try fixture.open().prepareFirstStart() }
      }
      return try await group.reduce(into: [FirstStart?]()) { $0.append($1) }
    }
    #expect(starts.compactMap { $0 }.count == 1)
    #expect(try fixture.open().users().count == 1)
  }

  @Test(arguments: ["", "   ", String(repeating: "x", count: 101), "a\0b", "a\u{1b}[31m", "a\tb"])
  func `a project needs a usable name`(name: String) throws {
    let catalog = try Fixture().open()
    #expect(throws: CatalogError.self) { try catalog.createProject(name: name) }
    #expect(try catalog.projects().isEmpty)
  }

  @Test(arguments: [
    ("Asia/Kolkata", true), ("Asia/Calcutta", true), ("US/Eastern", true), ("Etc/UTC", true),
    ("UTC", true), ("America/Buenos_Aires", true), ("Berlin", false), ("europe/berlin", false),
    ("../etc", false), ("GMT+5", false), ("", false),
  ])
  func `a project's time zone is one that the machine knows by that name`(
    name: String,
    isKnown: Bool
  ) throws {
    let catalog = try Fixture().open()
    guard isKnown else {
      #expect(throws: CatalogError.self) {
        try catalog.createProject(name: "Notes", timeZone: name)
      }
      return
    }
    #expect(try catalog.createProject(name: "Notes", timeZone: name).timeZone == name)
  }

  @Test func `a project's name and zone can be changed`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    try catalog.updateProject(project.id, name: "Shop", timeZone: "Asia/Tokyo")
    #expect(try catalog.project(project.id)?.name == "Shop")
    #expect(try catalog.project(project.id)?.timeZone == "Asia/Tokyo")
    #expect(throws: CatalogError.unknownProject(99)) {
      try catalog.updateProject(99, name: "Shop", timeZone: "UTC")
    }
    #expect(throws: CatalogError.self) {
      try catalog.updateProject(project.id, name: "Shop", timeZone: "Berlin")
    }
  }
}

/// Changes the file behind the catalogue's back, as no call of it can.
func sqlite(_ path: String, _ script: String) throws {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [
    "python3", "-c",
    "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
    path, script,
  ]
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
}
