import EventStore
import Catalog
import Foundation
import HTTPServing
import Insights
import Testing

@testable import AdminAPI

/// What must hold of every call, whatever it is about.
@Suite struct `Every call of the API` {
  /// Bodies and paths with which each call succeeds, in the order of `routes`.
  private static let bodies = [
    "createProject": #"{"name":"Shop","time_zone":"Europe/Berlin"}"#,
    "changeProject": #"{"name":"Shop","time_zone":"Asia/Tokyo"}"#,
    "setRules":
      #"{"retention_days":30,"names":[{"name":"A","days":3}],"events_per_day":null}"#,
    "setConfig": #"{"config":"{\"rows\":3}"}"#, "createKey": #"{"kind":"secret","role":"viewer"}"#,
    "adoptKey": #"{"kind":"phase","value":"phase-key"}"#, "rotateKey": "{}",
    "erase": #"{"user":"john","dry_run":true}"#, "export": #"{"format":"csv","name":"A"}"#,
    "upload": "name,ts\n", "import": #"{"upload":"0123456789abcdef","format":"ndjson"}"#,
    "createSegment":
      #"{"name":"Pro","match":"all","groups":[{"match":"any","rules":["user.plan:is:pro"]}]}"#,
    "changeSegment": #"{"name":"All","match":"all","groups":[]}"#, "importList": "user_id\nada\n",
    "createBoard":
      #"{"name":"Team","cards":[{"title":"Songs","question":"trend","parameters":"range=7d"},{"title":"","text":"Why"}]}"#,
    "changeBoard": #"{"name":"Team","cards":[]}"#, "createBoardLink": #"{"days":7}"#,
    "createAlert": alert, "changeAlert": alert,
    "runStatement": #"{"sql":"SELECT 1 AS one","limit":5}"#,
    "keepStatement": #"{"name":"All","text":"SELECT 1"}"#,
    "decideCrash": #"{"state":"resolved","version":"4.3"}"#,
    "setEventRule":
      #"{"name":"Song Played","description":"A song","hidden":true,"blocked":false}"#,
    "createReadKey": #"{"name":"Reports","days":30}"#,
    "createUser": #"{"name":"Ada","role":"editor"}"#, "changeUser": #"{"role":"viewer"}"#,
  ]

  private static let alert =
    #"{"name":"Few","question":"trend","parameters":"range=7d","rule":"under","amount":1.5,"webhook":"https://example.com/hook"}"#

  /// What a call needs in its address.
  private static let queries = [
    "askFunnel": "?steps=Song%20Played;Cart%20Opened", "getPerson": "?id=phone-1",
    "importList": "?name=Members", "listPersonEvents": "?id=phone-1",
    "listPersonHistory": "?id=phone-1",
    "listProperties": "?name=Song%20Played",
  ]

  private func target(_ route: APIRoute, session: String) -> String {
    route.path.replacing("{project}", with: "1").replacing("{key}", with: "1")
      .replacing("{event}", with: "00000000000000010000000000000001")
      .replacing("{job}", with: "1").replacing("{segment}", with: "1")
      .replacing("{list}", with: "1").replacing("{board}", with: "1")
      .replacing("{link}", with: "1").replacing("{name}", with: "Eve").replacing(
        "{session}",
        with: session
      ).replacing("{signature}", with: "0123456789abcdef")
      .replacing("{alert}", with: "1").replacing("{action}", with: "test")
      .replacing("{read_key}", with: "1").replacing("{statement}", with: "1").replacing(
        "{run}",
        with: "run-12345678"
      )
      + Self.queries[route.name, default: ""]
  }

  /// Makes what a call is about.
  private func prepare(_ fixture: APIFixture, for name: String) throws {
    switch name {
    case "getJob", "cancelJob": _ = try fixture.ask(.export(.csv, EventConditions(), person: nil))
    case "changeSegment", "countSegment", "removeSegment":
      _ = try fixture.catalog.addSegment(name: "One", definition: "all", project: 1)
    case "removeList": _ = try fixture.catalog.addList(name: "One", members: [1], project: 1)
    case "getAlert", "changeAlert", "deleteAlert", "actOnAlert", "listAlertHistory":
      let terms = Alert.Terms(
        name: "Many",
        question: "trend",
        parameters: "",
        rule: .over(1),
        webhook: "https://example.com/"
      )
      _ = try fixture.catalog.createAlert(terms, project: 1)
    case "listReadKeys", "revokeReadKey":
      _ = try fixture.catalog.createPhaseReadKey(name: "Reports", project: 1)
    case "runStatement":
      fixture.store.answerConsoles {
        ConsoleAnswer(
          columns: [.init("one", "INTEGER"), .init("text", "VARCHAR")],
          rows: [["1", "a"], [nil, "2"]],
          isCut: $0.maxRows == 5
        )
      }
    case "deleteStatement":
      _ = try fixture.catalog.keepStatement(name: "All", text: "SELECT 1", project: 1)
    case "listBoardLinks", "revokeBoardLink":
      _ = try fixture.catalog.createBoardLink(board: 1, project: 1)
    case "getExportFile": _ = try fixture.exported()
    case "getRejectedLines":
      let job = try fixture.ask(.importing(file: "/x", .ndjson, isSent: true))
      _ = try fixture.catalog.nextJob()
      try fixture.catalog.endJob(job.id, .done)
      try fixture.write(
        "line 1: it has no ts\n",
        to: RefusedLines.path(ofJob: job.id, in: fixture.files.exports)
      )
    case "getBackup", "cancelBackup":
      _ = try fixture.ask(.backup(folder: "/x"), project: nil)
    case "import":
      try fixture.write("{}", to: fixture.files.uploads.file("0123456789abcdef", of: 1))
    default: break
    }
  }

  @Test func `answers as its document says`() async throws {
    let names = try APIFixture().site.routes.map(\.name)
    #expect(Set(names).count == names.count)
    for route in try APIFixture().site.routes {
      let fixture = try APIFixture()
      _ = try fixture.catalog.createUser(name: "Eve", role: .editor)
      let session = try #require(
        try fixture.catalog.signIn(link: fixture.catalog.createSignInLink(user: "Eve"))
      )
      try prepare(fixture, for: route.name)
      let program = try fixture.program(.owner)
      let target = target(route, session: Catalog.sessionID(ofToken: session.token))
      let answer = await program.call(route.method, target, Self.bodies[route.name])
      #expect(answer.status == route.status, "\(route.name): \(answer.text)")
      if let download = route.download {
        #expect(answer.file != nil, "\(route.name)")
        #expect(download.types.contains(answer.header("Content-Type") ?? ""))
      } else if let schema = route.answer {
        #expect(schema.problem(with: .object(answer.json)) == nil, "\(route.name)")
        #expect(answer.header("Content-Type")?.hasPrefix("application/json") == true)
        #expect(!answer.json.isEmpty, "\(route.name)")
      } else {
        #expect(answer.body.isEmpty)
      }
      #expect(answer.header("Cache-Control") == "no-store")
      try await refusesWhatItShould(route, fixture, program, target)
    }
  }

  private func refusesWhatItShould(
    _ route: APIRoute,
    _ fixture: APIFixture,
    _ program: Program,
    _ target: String
  ) async throws {
    let known = Set(route.answers.map(\.status))
    var answers = [
      await program.call(
        route.method,
        target + (target.contains("?") ? "&" : "?") + "unknown=1",
        Self.bodies[route.name]
      )
    ]
    if route.body != nil {
      for body in ["", "[]", "{", #"{"x":1}"#, "{\"kind\":7}", "null", "\u{0}"] {
        answers.append(await program.call(route.method, target, body))
      }
      answers.append(
        await program.client.send(
          route.method,
          APIRoutes.root + target,
          headers: [
            Header("Authorization", "Bearer \(program.key)"), Header("Content-Type", "text/xml"),
          ],
          body: Array("<a/>".utf8)
        )
      )
    }
    if route.permission != nil {
      var stranger = program
      for key in ["", "ff_sec_guess", "ff_pub_guess"] {
        stranger.key = key
        let answer = await stranger.call(route.method, target, Self.bodies[route.name])
        #expect(answer.status == 401 && answer.code == "unauthorized", "\(route.name)")
        #expect(answer.header("WWW-Authenticate") == "Bearer")
      }
    }
    for answer in answers {
      #expect(answer.status >= 400, "\(route.name)")
      #expect(
        known.contains(answer.status) || answer.status == 400,
        "\(route.name) \(answer.status)"
      )
      #expect(
        APIProblem.schema.problem(with: .object(answer.json)) == nil,
        "\(route.name): \(answer.text)"
      )
    }
  }

  @Test(arguments: Role.allCases)
  func `is for the roles that may`(role: Role) async throws {
    for route in try APIFixture().site.routes {
      guard let permission = route.permission else { continue }
      let fixture = try APIFixture()
      let before = try fixture.catalog.audit().first?.id
      let program = try fixture.program(role)
      let answer = await program.call(
        route.method,
        target(route, session: "0123456789abcdef"),
        Self.bodies[route.name]
      )
      #expect((answer.code == "forbidden") != role.may(permission), "\(route.name)")
      guard !role.may(permission) else { continue }
      // The key that asks is the last change.
      #expect(try fixture.catalog.audit().first?.id == before.map { $0 + 1 }, "\(route.name)")
    }
  }

  @Test(arguments: [Role.viewer, .editor])
  func `of another project is unknown to all but owners`(role: Role) async throws {
    for route in try APIFixture().site.routes where route.isOfProject {
      guard let permission = route.permission, role.may(permission) else { continue }
      let fixture = try APIFixture()
      let other = try fixture.catalog.createProject(name: "Other").id
      let program = try fixture.program(role, project: other)
      let target = target(route, session: "")
      let answer = await program.call(route.method, target, Self.bodies[route.name])
      #expect(answer.status == 404 && answer.code == "not_found", "\(route.name)")
    }
  }

  @Test func `is in the document, and nothing else is`() async throws {
    let fixture = try APIFixture()
    let answer = await TestClient(fixture.router).get("/api/v1/openapi.json")
    let document = try #require(
      try JSONSerialization.jsonObject(with: Data(answer.body)) as? [String: Any]
    )
    #expect(document["openapi"] as? String == "3.1.0")
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    let documented = paths.flatMap { path, operations in
      operations.keys.map { "\($0.uppercased()) \(path)" }
    }
    let registered = fixture.router.registered.map { route in
      let path = route.path.split(separator: "/").map { part in
        "/" + (part.hasPrefix(":") ? "{\(part.dropFirst())}" : part)
      }.joined()
      return "\(route.method.rawValue) \(path)"
    }
    #expect(documented.sorted() == registered.sorted())
    for (path, operations) in paths {
      for (method, operation) in operations {
        let responses = (operation as? [String: Any])?["responses"] as? [String: Any]
        #expect(responses?.keys.contains { $0.hasPrefix("2") } == true, "\(method) \(path)")
      }
    }
  }

  @Test func `that is none says so in JSON`() async throws {
    let program = try APIFixture().program(.owner)
    let missing = await program.call(.get, "/nothing")
    #expect(missing.status == 404 && missing.code == "not_found")
    let wrong = await program.call(.delete, "/projects")
    #expect(wrong.status == 405 && wrong.code == "method_not_allowed")
    #expect(wrong.header("Allow") == "GET, HEAD, OPTIONS, POST")
    let large = await program.call(.post, "/projects", String(repeating: " ", count: 300_000))
    #expect(large.status == 413 && large.code == "too_large")
    let climbing = await program.call(.get, "/projects/%2e%2e")
    #expect(climbing.status == 400 && climbing.code == "malformed")
  }
}
