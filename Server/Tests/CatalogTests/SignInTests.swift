import Catalog
import Testing

@Suite struct `Signing in` {
  @Test func `the first start makes an owner, a project with a key, and a link, once`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let start = try #require(try catalog.prepareFirstStart())
    #expect(start.owner.name == "owner")
    #expect(!start.owner.hasPassword)
    #expect(
      catalog.resolve(ingestKey: start.ingestKey.plaintext)
        == .project(start.project.id, keyID: start.ingestKey.key.id)
    )
    #expect(try catalog.prepareFirstStart() == nil)
    #expect(try catalog.projects().count == 1)
    #expect(try catalog.signIn(link: start.signInToken)?.user == start.owner)
  }

  @Test func `a link signs in once`() throws {
    let catalog = try started()
    let token = try catalog.createSignInLink(user: "owner")
    #expect(try catalog.isSignInLinkValid(token))
    let session = try #require(try catalog.signIn(link: token))
    #expect(try catalog.user(session: session.token)?.name == "owner")
    #expect(try !catalog.isSignInLinkValid(token))
    #expect(try catalog.signIn(link: token) == nil)
  }

  @Test func `one of many that use a link at the same time is let in`() async throws {
    let catalog = try started()
    let token = try catalog.createSignInLink(user: "owner")
    let sessions = try await withThrowingTaskGroup(of: NewSession?.self) { group in
      for _ in 0..<8 { group.addTask { try catalog.signIn(link: token) } }
      return try await group.reduce(into: [NewSession]()) { if let new = $1 { $0.append(new) } }
    }
    #expect(sessions.count == 1)
  }

  @Test(arguments: [(3_599_999, true), (3_600_000, false)])
  func `a link ends after an hour`(afterMs: Int, works: Bool) throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    _ = try catalog.prepareFirstStart()
    let token = try catalog.createSignInLink(user: "owner")
    fixture.advance(milliseconds: Int64(afterMs))
    #expect(try catalog.isSignInLinkValid(token) == works)
    #expect(try (catalog.signIn(link: token) != nil) == works)
  }

  @Test func `a session ends after its days, and at sign-out`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let start = try #require(try catalog.prepareFirstStart())
    let session = try #require(try catalog.signIn(link: start.signInToken))
    fixture.advance(milliseconds: Catalog.sessionDays * 86_400_000 - 1)
    #expect(try catalog.user(session: session.token) == start.owner)
    fixture.advance(milliseconds: 1)
    #expect(try catalog.user(session: session.token) == nil)

    let token = try catalog.createSignInLink(user: "owner")
    let second = try #require(try catalog.signIn(link: token))
    try catalog.signOut(session: second.token)
    #expect(try catalog.user(session: second.token) == nil)
    #expect(try catalog.user(session: "guess") == nil)
  }

  @Test func `a password signs in, and only the right one`() throws {
    let catalog = try started()
    #expect(try catalog.signIn(name: "owner", password: "correct horse") == nil)
    try catalog.setPassword("correct horse", forUser: "owner")
    #expect(try catalog.users().map(\.hasPassword) == [true])
    #expect(try catalog.signIn(name: "owner", password: "correct horse") != nil)
    #expect(try catalog.signIn(name: "owner", password: "correct hors") == nil)
    #expect(try catalog.signIn(name: "nobody", password: "correct horse") == nil)
    #expect(try catalog.signIn(name: "owner", password: "") == nil)
  }

  @Test func `a new password ends open links and every session but the one that set it`() throws {
    let catalog = try started()
    let mine = try #require(
      try catalog.signIn(link: catalog.createSignInLink(user: "owner"))
    )
    let theirs = try #require(
      try catalog.signIn(link: catalog.createSignInLink(user: "owner"))
    )
    let open = try catalog.createSignInLink(user: "owner")
    try catalog.setPassword("correct horse", forUser: "owner", keeping: mine.token)
    #expect(try catalog.user(session: mine.token) != nil)
    #expect(try catalog.user(session: theirs.token) == nil)
    #expect(try !catalog.isSignInLinkValid(open))
  }

  @Test func `a password that is too short is refused`() throws {
    let catalog = try started()
    #expect(throws: CatalogError.self) {
      try catalog.setPassword("123456789", forUser: "owner")
    }
    #expect(throws: CatalogError.unknownUser("nobody")) {
      try catalog.setPassword("correct horse", forUser: "nobody")
    }
    #expect(throws: CatalogError.unknownUser("nobody")) {
      try catalog.createSignInLink(user: "nobody")
    }
  }

  @Test func `a name is taken once`() throws {
    let catalog = try started()
    _ = try catalog.createUser(name: "Ada")
    #expect(throws: CatalogError.self) { try catalog.createUser(name: "Ada") }
    #expect(try catalog.users().map(\.name) == ["owner", "Ada"])
  }

  private func started() throws -> Catalog {
    let catalog = try Fixture().open()
    _ = try catalog.prepareFirstStart()
    return catalog
  }
}
