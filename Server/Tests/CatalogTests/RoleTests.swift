import Catalog
import Testing

@Suite struct `People and what they may do` {
  @Test(arguments: [
    (Permission.viewEvents, "owner editor viewer"), (.viewKeys, "owner editor viewer"),
    (.viewProject, "owner editor viewer"), (.ownAccount, "owner editor viewer"),
    (.manageKeys, "owner editor"), (.manageProject, "owner editor"), (.createProject, "owner"),
    (.manageUsers, "owner"), (.viewAudit, "owner"), (.operate, "owner"),
    (.exportEvents, "owner editor"), (.importEvents, "owner editor"), (.changeEvents, "owner"),
  ])
  func `each permission belongs to these roles`(permission: Permission, roles: String) {
    let may = Role.allCases.filter { $0.may(permission) }.map(\.rawValue)
    #expect(may.joined(separator: " ") == roles)
  }

  @Test func `somebody always stays owner`() throws {
    let catalog = try Fixture().open()
    _ = try catalog.prepareFirstStart()
    #expect(throws: CatalogError.lastOwner) { try catalog.setRole(.viewer, ofUser: "owner") }
    #expect(throws: CatalogError.lastOwner) { try catalog.removeUser("owner") }
    _ = try catalog.createUser(name: "Ada", role: .viewer)
    #expect(throws: CatalogError.lastOwner) { try catalog.removeUser("owner") }
    try catalog.setRole(.owner, ofUser: "Ada")
    try catalog.setRole(.editor, ofUser: "owner")
    #expect(throws: CatalogError.lastOwner) { try catalog.removeUser("Ada") }
    try catalog.removeUser("owner")
    #expect(try catalog.users().map(\.name) == ["Ada"])
    #expect(throws: CatalogError.unknownUser("owner")) { try catalog.removeUser("owner") }
  }

  @Test(arguments: ["", "a\u{1b}[31mb", "a\nb", "a\tb", "\u{9b}2J", "\u{7f}", "a\0"])
  func `a name holds nothing that steers a terminal`(name: String) throws {
    let catalog = try Fixture().open()
    #expect {
      try catalog.createUser(name: name)
    } throws: { error in
      guard case CatalogError.invalid(let field, _) = error else { return false }
      return field == "name"
    }
    #expect(throws: CatalogError.self) { try catalog.prepareFirstStart(ownerName: name) }
    #expect(try catalog.users().isEmpty)
    #expect(try catalog.createUser(name: "Zoë Müller 👩‍💻").name == "Zoë Müller 👩‍💻")
  }

  @Test func `who is removed is signed out, and a link of theirs is of no use`() throws {
    let catalog = try Fixture().open()
    _ = try catalog.prepareFirstStart()
    _ = try catalog.createUser(name: "Ada", role: .editor)
    let session = try #require(
      try catalog.signIn(link: catalog.createSignInLink(user: "Ada"))
    )
    let link = try catalog.createSignInLink(user: "Ada")
    try catalog.removeUser("Ada")
    #expect(try catalog.user(session: session.token) == nil)
    #expect(try catalog.signIn(link: link) == nil)
  }

  @Test func `a changed role holds for sessions that are open`() throws {
    let catalog = try Fixture().open()
    _ = try catalog.prepareFirstStart()
    _ = try catalog.createUser(name: "Ada", role: .viewer)
    let session = try #require(
      try catalog.signIn(link: catalog.createSignInLink(user: "Ada"))
    )
    try catalog.setRole(.editor, ofUser: "Ada")
    #expect(try catalog.user(session: session.token)?.role == .editor)
  }

  @Test func `sessions are listed without their secret, and end one by one`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    _ = try catalog.prepareFirstStart()
    _ = try catalog.createUser(name: "Ada")
    let first = try #require(
      try catalog.signIn(link: catalog.createSignInLink(user: "owner"), browser: "Firefox on Mac")
    )
    fixture.advance(milliseconds: 1_000)
    let second = try #require(
      try catalog.signIn(link: catalog.createSignInLink(user: "Ada"))
    )
    let listed = try catalog.sessions()
    #expect(listed.map(\.user) == ["Ada", "owner"])
    #expect(listed.map(\.browser) == ["", "Firefox on Mac"])
    #expect(listed.map(\.id) == [second, first].map { Catalog.sessionID(ofToken: $0.token) })
    #expect(!first.token.contains(listed[1].id))
    #expect(throws: CatalogError.self) {
      try catalog.endSession(listed[0].id, ofUser: "owner")
    }
    try catalog.endSession(listed[0].id, by: .user("owner"))
    #expect(try catalog.user(session: second.token) == nil)
    #expect(try catalog.user(session: first.token) != nil)
    #expect(throws: CatalogError.unknownSession(listed[0].id)) {
      try catalog.endSession(listed[0].id)
    }
  }
}
