import Catalog
import Testing

@Suite struct `Keys` {
  @Test func `a made key has its form, works, and never repeats`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let made = try (0..<50).map { _ in try catalog.createKey(project: project.id, kind: .ingest) }
    #expect(Set(made.map(\.plaintext)).count == 50)
    for key in made {
      #expect(key.plaintext.wholeMatch(of: /ff_pub_[A-Za-z0-9]{32}/) != nil)
      #expect(
        catalog.resolve(ingestKey: key.plaintext) == .project(project.id, keyID: key.key.id)
      )
    }
    #expect(try catalog.keys(project: project.id).map(\.value) == made.map(\.plaintext))
  }

  @Test func `a secret key reads its project, never sends, and its text is kept nowhere`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let made = try catalog.createKey(project: project.id, kind: .secret, label: "CI")
    #expect(made.plaintext.wholeMatch(of: /ff_sec_[A-Za-z0-9]{32}/) != nil)
    #expect(try catalog.project(secretKey: made.plaintext) == project.id)
    #expect(try catalog.project(secretKey: made.plaintext + "x") == nil)
    #expect(catalog.resolve(ingestKey: made.plaintext) == .secretKeyNotForIngest)
    let listed = try #require(try catalog.keys(project: project.id).first)
    #expect(listed.value == nil)
    #expect(listed.hint == made.plaintext.prefix(11) + "…")
    try catalog.revokeKey(made.key.id, project: project.id)
    #expect(try catalog.project(secretKey: made.plaintext) == nil)
  }

  @Test func `a key whose time was over stays ended when the clock is set back`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes").id
    let app = try catalog.createKey(project: project, kind: .ingest)
    let script = try catalog.createKey(project: project, kind: .secret)
    let later = try catalog.createKey(project: project, kind: .ingest)
    _ = try catalog.rotateKey(app.key.id, project: project)
    _ = try catalog.rotateKey(script.key.id, project: project)
    _ = try catalog.rotateKey(later.key.id, project: project, overlap: .seconds(3 * 86_400))
    try catalog.endReplacedKeys()
    #expect(catalog.resolve(ingestKey: app.plaintext) == .project(project, keyID: app.key.id))
    let ends = try #require(try catalog.keys(project: project).first?.endsAtMs)
    fixture.advance(milliseconds: 2 * 86_400_000)
    try catalog.endReplacedKeys()
    fixture.setBack(milliseconds: 2 * 86_400_000)
    #expect(catalog.resolve(ingestKey: app.plaintext) == .revoked)
    #expect(try catalog.holder(ofSecretKey: script.plaintext) == nil)
    #expect(try catalog.keys(project: project).first?.revokedAtMs == ends)
    #expect(catalog.resolve(ingestKey: later.plaintext) == .project(project, keyID: later.key.id))
  }

  @Test(arguments: ["", "ff_pub_", "nothing", "ff_pub_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"])
  func `a key nobody made is unknown`(text: String) throws {
    let catalog = try Fixture().open()
    #expect(catalog.resolve(ingestKey: text) == .unknown)
  }

  @Test func `a key that is almost another is unknown`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    let key = try catalog.createKey(project: project.id, kind: .ingest).plaintext
    #expect(catalog.resolve(ingestKey: String(key.dropLast())) == .unknown)
    #expect(catalog.resolve(ingestKey: key + "a") == .unknown)
    #expect(catalog.resolve(ingestKey: key.lowercased() + "é") == .unknown)
  }

  @Test func `a secret key that does not exist is told apart by its form alone`() throws {
    let catalog = try Fixture().open()
    #expect(catalog.resolve(ingestKey: "ff_sec_whatever") == .secretKeyNotForIngest)
  }

  @Test(arguments: KeyKind.allCases.filter(\.isAdopted))
  func `an adopted key is found by its value, whatever it looks like`(kind: KeyKind) throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    let value = "0123456789abcdef0123456789abcdef"
    let key = try catalog.adoptKey(project: project.id, kind: kind, value: value)
    #expect(catalog.resolve(ingestKey: value) == .project(project.id, keyID: key.id))
    #expect(key.kind == kind)
  }

  @Test func `a working key cannot be adopted twice, a revoked one can`() throws {
    let catalog = try Fixture().open()
    let first = try catalog.createProject(name: "Notes")
    let second = try catalog.createProject(name: "Shop")
    let value = "vendor-key-1"
    let old = try catalog.adoptKey(project: first.id, kind: .amplitude, value: value)
    #expect(throws: CatalogError.keyInUse) {
      try catalog.adoptKey(project: second.id, kind: .amplitude, value: value)
    }
    try catalog.revokeKey(old.id, project: first.id)
    #expect(catalog.resolve(ingestKey: value) == .revoked)
    let new = try catalog.adoptKey(project: second.id, kind: .amplitude, value: value)
    #expect(catalog.resolve(ingestKey: value) == .project(second.id, keyID: new.id))
  }

  @Test(arguments: [
    "", "abc", "with space", "ümlaut-key", "ff_sec_0123456789", "ff_pub_0123456789", "tab\tkey",
  ])
  func `a value that cannot be a key is refused`(value: String) throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    #expect(throws: CatalogError.self) {
      try catalog.adoptKey(project: project.id, kind: .phase, value: value)
    }
    #expect(try catalog.keys(project: project.id).isEmpty)
  }

  @Test func `kinds are made or adopted, not both`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    #expect(throws: CatalogError.self) {
      try catalog.createKey(project: project.id, kind: .amplitude)
    }
    #expect(throws: CatalogError.self) {
      try catalog.adoptKey(project: project.id, kind: .ingest, value: "ff_pub_mine")
    }
  }

  @Test func `a key needs a project that exists and is revoked only through its own`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    let other = try catalog.createProject(name: "Shop")
    #expect(throws: CatalogError.unknownProject(99)) {
      try catalog.createKey(project: 99, kind: .ingest)
    }
    let key = try catalog.createKey(project: project.id, kind: .ingest)
    #expect(throws: CatalogError.unknownKey(key.key.id)) {
      try catalog.revokeKey(key.key.id, project: other.id)
    }
    #expect(
      catalog.resolve(ingestKey: key.plaintext) == .project(project.id, keyID: key.key.id)
    )
  }

  @Test func `a second revocation keeps the time of the first`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let key = try catalog.createKey(project: project.id, kind: .ingest).key
    #expect(try catalog.revokeKey(key.id, project: project.id) == nil)
    let revoked = try catalog.keys(project: project.id).first?.revokedAtMs
    fixture.advance(milliseconds: 5_000)
    #expect(try catalog.revokeKey(key.id, project: project.id) == revoked)
    #expect(revoked != nil)
    #expect(try catalog.keys(project: project.id).first?.revokedAtMs == revoked)
  }

  @Test func `what another process does to a key is in effect within a second`() throws {
    let fixture = try Fixture()
    let server = try fixture.open()
    let command = try fixture.open()
    let project = try command.createProject(name: "Notes")
    let key = try command.createKey(project: project.id, kind: .ingest)
    #expect(server.resolve(ingestKey: key.plaintext) == .unknown)
    // A key that is not known is looked for, since a command may have printed it just now.
    fixture.advance(milliseconds: 51)
    #expect(server.resolve(ingestKey: key.plaintext) == .project(project.id, keyID: key.key.id))
    fixture.advance(milliseconds: 1_000)
    try command.revokeKey(key.key.id, project: project.id)
    fixture.advance(milliseconds: 1_000)
    #expect(server.resolve(ingestKey: key.plaintext) == .revoked)
  }

  @Test func `what this process does to a key is in effect at once`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    let key = try catalog.createKey(project: project.id, kind: .ingest)
    #expect(catalog.resolve(ingestKey: key.plaintext) == .project(project.id, keyID: key.key.id))
    try catalog.revokeKey(key.key.id, project: project.id)
    #expect(catalog.resolve(ingestKey: key.plaintext) == .revoked)
  }

  @Test func `requests keep being answered while keys change under them`() async throws {
    let fixture = try Fixture()
    let server = try fixture.open()
    let project = try server.createProject(name: "Notes")
    let stable = try server.createKey(project: project.id, kind: .ingest)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<2_000 {
            fixture.advance(milliseconds: 7)
            #expect(
              server.resolve(ingestKey: stable.plaintext)
                == .project(project.id, keyID: stable.key.id)
            )
          }
        }
      }
      group.addTask {
        let command = try fixture.open()
        for _ in 0..<20 {
          let key = try command.createKey(project: project.id, kind: .ingest)
          try command.revokeKey(key.key.id, project: project.id)
        }
      }
      try await group.waitForAll()
    }
    #expect(try server.keys(project: project.id).count == 21)
  }
}
