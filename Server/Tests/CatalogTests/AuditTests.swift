import Catalog
import Testing

@Suite struct `Audit log` {
  /// Every change the catalogue knows, with everything secret about it.
  private func changes(_ catalog: Catalog) throws -> (actions: [String], secrets: [String]) {
    let start = try #require(try catalog.prepareFirstStart())
    let actor = Actor.user("Ada")
    let project = try catalog.createProject(name: "Notes", by: actor)
    try catalog.updateProject(project.id, name: "Shop", timeZone: "Asia/Tokyo", by: actor)
    let secret = try catalog.createKey(project: project.id, kind: .secret, by: actor)
    let new = try catalog.rotateKey(secret.key.id, project: project.id, by: actor)
    let adopted = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
    let key = try catalog.adoptKey(
      project: project.id,
      kind: .amplitude,
      value: adopted,
      by: actor
    )
    try catalog.revokeKey(key.id, project: project.id, by: actor)
    try catalog.setRules(ProjectRules(retentionDays: 30), project: project.id, by: actor)
    try catalog.setRemoteSettings(#"{"token":"hush"}"#, project: project.id, by: actor)
    _ = try catalog.createUser(name: "Eve", role: .viewer, by: actor)
    try catalog.setRole(.editor, ofUser: "Eve", by: actor)
    try catalog.setPassword("correct horse", forUser: "Eve", by: actor)
    let link = try catalog.createSignInLink(user: "Eve", by: actor)
    let session = try #require(try catalog.signIn(link: link))
    try catalog.endSession(Catalog.sessionID(ofToken: session.token), by: actor)
    try catalog.removeUser("Eve", by: actor)
    try catalog.note("poison.replay", "3 records", by: actor)
    return (
      [
        "server.first-start", "project.create", "project.update", "key.create", "key.rotate",
        "key.adopt", "key.revoke", "project.rules", "project.config", "user.create", "user.role",
        "user.password", "user.sign-in-link", "session.begin", "session.end", "user.remove",
        "poison.replay",
      ],
      [
        start.signInToken, start.ingestKey.plaintext, secret.plaintext, new.plaintext, adopted,
        "correct horse", link, session.token, "hush",
      ]
    )
  }

  @Test func `every change is there with who made it, and no secret is`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let (actions, secrets) = try changes(catalog)
    let entries = try catalog.audit(limit: 1_000)
    #expect(entries.reversed().map(\.action) == actions)
    #expect(entries.allSatisfy { $0.atMs == fixture.clock.nowMs() })
    for entry in entries {
      let expected =
        switch entry.action {
        case "server.first-start": "server"
        case "session.begin": "user Eve"
        default: "user Ada"
        }
      #expect(entry.actor == expected)
      for secret in secrets { #expect(!"\(entry)".contains(secret), "\(entry.action)") }
    }
  }

  @Test func `a change that is refused leaves no entry`() throws {
    let catalog = try Fixture().open()
    _ = try catalog.prepareFirstStart()
    let before = try catalog.audit()
    #expect(throws: CatalogError.self) { try catalog.createProject(name: "") }
    #expect(throws: CatalogError.self) { try catalog.revokeKey(99, project: 1) }
    #expect(throws: CatalogError.self) { try catalog.removeUser("owner") }
    #expect(throws: CatalogError.self) { try catalog.setRules(ProjectRules(), project: 99) }
    #expect(throws: CatalogError.self) { try catalog.updateProject(9, name: "x", timeZone: "UTC") }
    #expect(try catalog.audit() == before)
  }

  @Test func `it is read page by page and by project`() throws {
    let catalog = try Fixture().open()
    for number in 1...5 { _ = try catalog.createProject(name: "Project \(number)") }
    let first = try catalog.audit(limit: 2)
    #expect(first.map(\.project) == [5, 4])
    let second = try catalog.audit(before: first.last?.id, limit: 2)
    #expect(second.map(\.project) == [3, 2])
    #expect(try catalog.audit(project: 1).map(\.detail) == ["“Project 1”, UTC"])
  }
}
