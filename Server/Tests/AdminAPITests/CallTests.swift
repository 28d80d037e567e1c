import EventStore
import FootfallSystem
import Catalog
import HTTPServing
import Insights
import Testing

@testable import AdminAPI

@Suite struct `Calls of the API` {
  @Test func `events come page by page, whole, and none twice`() async throws {
    let events = (1...25).map { APIFixture.event(UInt64($0)) }
    let program = try APIFixture(events: events).program(.viewer)
    var keys: [PropertyValue] = []
    var before = ""
    for page in 1...3 {
      let answer = await program.call(.get, "/projects/1/events?limit=10\(before)").json
      guard case .list(let list)? = answer["events"] else { break }
      #expect(list.count == (page < 3 ? 10 : 5))
      for case .object(let event) in list { keys.append(event["key"] ?? .null) }
      guard case .text(let next)? = answer["next"] else {
        #expect(page == 3 && answer["next"] == .null)
        break
      }
      before = "&before=\(next)"
    }
    #expect(Set(keys).count == 25)
    let one = await program.call(.get, "/projects/1/events/00000000000000010000000000000007")
    #expect(one.text.contains(#""props":{"title":"Here \"Comes\" the Sün","n":1.50}"#))
    let none = await program.call(.get, "/projects/1/events/0000000000000001000000000000ffff")
    #expect(none.status == 404)
  }

  @Test(arguments: [
    (Role.viewer, "hooks.example.com"), (.editor, "https://hooks.example.com/T0/s3cret"),
    (.owner, "https://hooks.example.com/T0/s3cret"),
  ])
  func `where an alert is told is shown to who may change it, its host to others`(
    role: Role,
    shown: String
  ) async throws {
    let fixture = try APIFixture()
    let terms = Alert.Terms(
      name: "Many",
      question: "trend",
      parameters: "",
      rule: .over(1),
      webhook: "https://hooks.example.com/T0/s3cret"
    )
    let alert = try fixture.catalog.createAlert(terms, project: 1).alert
    let program = try fixture.program(role)
    for path in ["/projects/1/alerts", "/projects/1/alerts/\(alert.id)"] {
      let answer = await program.call(.get, path)
      #expect(answer.text.contains(#""webhook":"\#(shown)""#), "\(path): \(answer.text)")
      #expect(answer.text.contains("s3cret") == (role != .viewer))
    }
  }

  @Test func `a webhook that nothing can ever be sent to is refused when it is named`() async throws
  {
    let fixture = try APIFixture()
    let program = try fixture.program(.owner)
    func ask(_ host: String) async -> Response {
      await program.call(
        .post,
        "/projects/1/alerts",
        #"{"name":"Few","question":"trend","parameters":"range=7d","rule":"under","amount":1,"webhook":"http://\#(host)/"}"#
      )
    }
    let refused = await ask("10.0.0.1")
    #expect(refused.status == 422 && refused.text.contains("It is in a private network."))
    #expect(try fixture.catalog.alerts(project: 1).isEmpty)
    #expect(await ask("hooks.example.com").status == 201)
  }

  @Test(
    arguments: [
      CatalogError.file(path: "/srv/data/catalogue.sqlite", .diskFull),
      CatalogError.masterKey(path: "/srv/data/master.key", reason: "it is gone"),
      StoreError.engine(#"IO Error: Could not write "/srv/data/events.duckdb": No space left"#),
      CocoaFailure(path: "/srv/data/exports/7.csv"),
    ] as [any Error & Sendable]
  )
  func `what is wrong inside is told without the places of files`(error: any Error & Sendable) {
    let problem = APIProblem(error)
    #expect(problem.status == 503 && APIProblem.isFault(error))
    #expect(!problem.message.contains("/srv") && !problem.message.contains("/data"))
    let told = Lock([String]())
    let log = FaultLog { text in told.withLock { $0.append(text) } }
    #expect(log.note(error) == problem.message)
    _ = log.note(error)
    #expect(told.withLock { $0.count } == 1)
    #expect(told.withLock { $0.first }?.contains("/srv/data/") == true)
  }

  private struct CocoaFailure: Error, CustomStringConvertible {
    let path: String
    var description: String { "“\(path)” could not be made." }
  }

  @Test("SDL-95 events of two deployments of one project are told apart by their keys' labels")
  func deployments() async throws {
    let program = try APIFixture(events: [
      APIFixture.event(1, client: #"{"deployment":"macos","os":"macOS"}"#),
      APIFixture.event(2, client: #"{"deployment":"macos-appstore"}"#),
      APIFixture.event(3, client: #"{"os":"macOS","deployment":"macos"}"#),
    ]).program(.viewer)
    for (label, ids) in [("macos", ["event-1"]), ("macos-appstore", ["event-2"]), ("mac", [])] {
      let answer = await program.call(.get, "/projects/1/events?deployment=\(label)").json
      guard case .list(let list)? = answer["events"] else { continue }
      let found = list.compactMap { event -> String? in
        guard case .object(let event) = event, case .text(let id)? = event["id"] else { return nil }
        return id
      }
      #expect(found == ids, "\(label)")
    }
  }

  @Test func `a project gets no name that another has`() async throws {
    let fixture = try APIFixture()
    _ = try fixture.catalog.createProject(name: "Shop")
    let program = try fixture.program(.owner)
    let body = #"{"name":" NOTES","time_zone":"UTC"}"#
    for answer in [
      await program.call(.post, "/projects", body), await program.call(.put, "/projects/2", body),
    ] {
      #expect(answer.status == 422 && answer.code == "invalid", "\(answer.text)")
      #expect(answer.text.contains("Project 1 is called “Notes” already; choose another name."))
    }
    #expect(await program.call(.put, "/projects/1", body).status == 200)
    #expect(try fixture.catalog.projects().map(\.name) == ["NOTES", "Shop"])
  }

  @Test func `how numbers are reckoned is changed where it is told, and holds for questions`()
    async throws
  {
    let fixture = try APIFixture()
    let program = try fixture.program(.owner)
    let changed = await program.call(
      .put,
      "/projects/1",
      #"{"name":"Notes","time_zone":"Asia/Tokyo","week_start":"sun","currency":"EUR"}"#
    )
    #expect(changed.status == 200, "\(changed.text)")
    #expect(changed.json["week_start"] == .text("sun") && changed.json["currency"] == .text("EUR"))
    _ = await program.call(.put, "/projects/1", #"{"name":"Shop","time_zone":"Asia/Tokyo"}"#)
    #expect(
      try fixture.catalog.project(1)?.reckoning == Reckoning(weekStart: .sunday, currency: "EUR")
    )
    let revenue = await program.call(.get, "/projects/1/questions/revenue?range=7d").json
    #expect(revenue["title"] == .text("Revenue in EUR"))
    #expect(revenue["time_zone"] == .text("Asia/Tokyo"))
    let other = await program.call(
      .get,
      "/projects/1/questions/revenue?range=7d&currency=USD&zone=UTC"
    ).json
    #expect(other["title"] == .text("Revenue in USD") && other["time_zone"] == .text("UTC"))
    let rates = #""rates":[{"currency":"USD","rate":"0.90"}]"#
    let rated = await program.call(
      .put,
      "/projects/1",
      #"{"name":"Shop","time_zone":"UTC",\#(rates)}"#
    )
    #expect(rated.text.contains(rates))
    let all = await program.call(.get, "/projects/1/questions/revenue?range=7d").text
    #expect(all.contains("All currencies"))
    for wrong in [#"{"currency":"USD","rate":"much"}"#, #"{"currency":"EUR","rate":"1"}"#] {
      let body = #"{"name":"Shop","time_zone":"UTC","rates":[\#(wrong)]}"#
      #expect(await program.call(.put, "/projects/1", body).status == 422)
    }
    #expect(try fixture.catalog.project(1)?.reckoning.rates.description == "USD 0.90")
    let none = #"{"name":"Shop","time_zone":"UTC","currency":null,"rates":[]}"#
    #expect(await program.call(.put, "/projects/1", none).json["currency"] == .null)
    let wrong = #"{"name":"Shop","time_zone":"UTC","currency":"euro"}"#
    #expect(await program.call(.put, "/projects/1", wrong).status == 422)
  }

  @Test func `what a key does is written down as its doing`() async throws {
    let fixture = try APIFixture()
    let program = try fixture.program(.owner)
    _ = await program.call(.post, "/users", #"{"name":"Ada","role":"viewer"}"#)
    let entry = try #require(try fixture.catalog.audit().first)
    #expect(entry.action == "user.create" && entry.actor == "key \(program.keyID)")
  }

  @Test func `whoever meets as many statements as may run is told when to come again`() {
    let crowded = APIProblem(StoreError.crowded(running: 2, of: "statements of the SQL console"))
    #expect(crowded.status == 429 && crowded.retryAfterSeconds == 5)
    #expect(!APIProblem.isFault(StoreError.crowded(running: 2, of: "statements")))
    #expect(APIProblem(StoreError.busy(readers: 2)).status == 503)
  }

  @Test func `a question that needs too much memory is told so, and not to ask it again`() {
    let needs = StoreError.needsMemory(limit: "1.0 GiB")
    let problem = APIProblem(needs)
    #expect(problem.status == 422 && problem.code == "needs_memory")
    #expect(problem.retryAfterSeconds == nil && problem.message.contains("Ask for less at once"))
    #expect(!APIProblem.isFault(needs))
  }

  @Test func `nobody is added by a name with control characters`() async throws {
    let fixture = try APIFixture()
    let program = try fixture.program(.owner)
    let answer = await program.call(.post, "/users", #"{"name":"a\u001b[31m","role":"viewer"}"#)
    #expect(answer.status == 422)
    #expect(try fixture.catalog.users().map(\.name) == ["owner"])
  }

  @Test func `a key cannot end itself or one that may do more`() async throws {
    let fixture = try APIFixture()
    let editor = try fixture.program(.editor)
    let owner = try fixture.program(.owner)
    let own = "/projects/1/keys/\(editor.keyID)"
    #expect(await editor.call(.delete, own).status == 409)
    #expect(await editor.call(.post, own + "/rotate", #"{"overlap_seconds":60}"#).status == 409)
    let other = "/projects/1/keys/\(owner.keyID)"
    #expect(await editor.call(.delete, other).status == 403)
    #expect(await editor.call(.post, other + "/rotate", "{}").status == 403)
    let made = await editor.call(.post, "/projects/1/keys", #"{"kind":"secret","role":"owner"}"#)
    #expect(made.status == 403)
    #expect(await owner.call(.delete, own).status == 204)
    #expect(await editor.call(.get, "/key").status == 401)
  }

  @Test func `a secret key's text is told once and never listed`() async throws {
    let program = try APIFixture().program(.owner)
    let made = await program.call(.post, "/projects/1/keys", #"{"kind":"secret"}"#).json
    guard case .text(let text)? = made["plaintext"] else {
      Issue.record("no key was made")
      return
    }
    #expect(text.hasPrefix("ff_sec_"))
    for path in ["/projects/1/keys", "/audit"] {
      #expect(await !program.call(.get, path).text.contains(text))
    }
  }

  @Test func `the last owner stays`() async throws {
    let program = try APIFixture().program(.owner)
    #expect(await program.call(.delete, "/users/owner").code == "conflict")
    let changed = await program.call(.put, "/users/owner", #"{"role":"viewer"}"#)
    #expect(changed.status == 409)
  }

  @Test func `wrong keys are told to wait after a while, per address, and hold up no right one`()
    async throws
  {
    let fixture = try APIFixture()
    var guesser = try fixture.program(.viewer)
    let right = guesser.key
    func attempt(_ key: String, from peer: String) async -> Response {
      var client = TestClient(fixture.router)
      client.peer = peer
      return await client.get("/api/v1/key", headers: [Header("Authorization", "Bearer \(key)")])
    }
    guesser.key = "ff_sec_guess"
    for _ in 0..<60 { #expect(await attempt(guesser.key, from: "192.0.2.1").status == 401) }
    let refused = await attempt(guesser.key, from: "192.0.2.1")
    #expect(refused.status == 429 && refused.code == "too_many_attempts")
    #expect(refused.header("Retry-After") == "300")
    for peer in ["192.0.2.1", "192.0.2.2"] {
      #expect(await attempt(right, from: peer).status == 200)
    }
    #expect(await attempt(guesser.key, from: "192.0.2.2").status == 401)
    fixture.now.withLock { $0 += 300_000 }
    #expect(await attempt(guesser.key, from: "192.0.2.1").status == 401)
  }

  @Test(arguments: [
    ("/projects/1/events?limit=0", "limit"), ("/projects/1/events?limit=1001", "limit"),
    ("/projects/1/events?limit=%2B5", "limit"), ("/projects/1/events?limit=5&limit=6", "limit"),
    ("/projects/1/events?before=x", "before"), ("/projects/1/series?from=5&to=4", "from"),
    ("/projects/1/series?interval=week", "interval"), ("/projects/1/names?test=yes", "test"),
    ("/projects/1/active?from=-1", "from"),
    ("/projects/1/active?from=99999999999999999999", "from"),
  ])
  func `a value that makes no sense is named`(path: String, field: String) async throws {
    let answer = await (try APIFixture().program(.viewer)).call(.get, path)
    #expect(answer.status == 422)
    guard case .object(let error)? = answer.json["error"] else { return }
    #expect(error["field"] == .text(field))
  }

  @Test(arguments: [(limit: 1, isCut: true), (limit: 2, isCut: false)])
  func `a list of names says whether there are more`(limit: Int, isCut: Bool) async throws {
    let program = try APIFixture().program(.viewer)
    let answer = await program.call(.get, "/projects/1/names?limit=\(limit)")
    #expect(answer.json["cut"] == .boolean(isCut))
    guard case .list(let names)? = answer.json["names"] else {
      Issue.record("No list of names: \(answer.status)")
      return
    }
    #expect(names.count == limit)
  }

  @Test func `a store that does not answer is said so`() async throws {
    let fixture = try APIFixture()
    fixture.store.fail(with: .unavailable("libduckdb.so was not found"))
    let answer = await (try fixture.program(.viewer)).call(.get, "/projects/1/names")
    #expect(answer.status == 503 && answer.code == "unavailable")
    #expect(answer.header("Retry-After") != nil)
  }
}
