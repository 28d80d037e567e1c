import Catalog
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import Testing

@testable import Dashboard

@Suite struct `Board pages` {
  private static let events = [
    DashboardFixture.event(1), DashboardFixture.event(2, user: "bob", device: "phone-2"),
  ]
  private static let boards = "/projects/1/boards"

  /// The secret of a link that was just made.
  private func token(_ response: Response) throws -> String {
    let found = try #require(response.text.firstMatch(of: /\/shared\/([A-Za-z0-9]{43})/))
    return String(found.1)
  }

  @Test func `first board of a project shows its charts one by one`() async throws {
    let browser = try DashboardFixture(events: Self.events).signIn()
    let list = await browser.get(Self.boards).text
    #expect(list.contains("Overview") && list.contains("6 charts"))
    let page = await browser.get(Self.boards + "/1").text
    #expect(page.matches(of: /hx-get="\/projects\/1\/boards\/1\/cards\/\d"/).count == 6)
    let chart = await browser.get(Self.boards + "/1/cards/2").text
    #expect(chart.contains("data-chart=") && chart.contains("Song Played"))
    #expect(chart.contains("id=\"card-2-chart\"") && chart.contains("Save as PNG"))
    let empty = await (try DashboardFixture().signIn()).get(Self.boards + "/1/cards/2").text
    #expect(empty.contains("Nothing like that happened"))
  }

  @Test func `question is saved from its page to a board and stands there as asked`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    let browser = try fixture.signIn()
    let page = "/projects/1/insights/trend?events=Song%20Played&range=7d&measure=people"
    let html = await browser.get(page).text
    let query = try #require(html.firstMatch(of: /name="parameters" value="([^"]*)"/)).1
    #expect(query == "events=Song%20Played&amp;measure=people&amp;range=7d")
    let saved = try await browser.submit(
      "/projects/1/charts",
      [
        "question": "trend", "parameters": String(query).replacing("&amp;", with: "&"),
        "title": "Listeners", "board": "1", "width": "full",
      ],
      from: page
    )
    #expect(saved.header("Location") == Self.boards + "/1")
    let card = try #require(try fixture.catalog.board(1, project: 1)?.cards.last)
    #expect(card.title == "Listeners" && card.width == .full)
    let board = await browser.get(Self.boards + "/1").text
    #expect(board.contains("insights/trend?events=Song%20Played&amp;measure=people&amp;range=7d"))
    let answer = await browser.get(Self.boards + "/1/cards/\(card.id)").text
    #expect(answer.contains(#"<p class="figure-value num">2"#))
    let new = try await browser.submit(
      "/projects/1/charts",
      ["question": "trend", "parameters": "", "title": "All", "board": "new", "width": "half"],
      from: page
    )
    #expect(new.header("Location") == Self.boards + "/2")
  }

  @Test func `cards are written, changed, moved and taken away by forms`() async throws {
    let fixture = try DashboardFixture()
    let browser = try fixture.signIn()
    _ = try await browser.submit(Self.boards, ["name": "Team"], from: Self.boards)
    let board = Self.boards + "/2"
    for text in ["one", "two"] {
      _ = try await browser.submit(board + "/cards", ["title": text, "text": text], from: board)
    }
    let cards = try #require(try fixture.catalog.board(2, project: 1)?.cards)
    _ = try await browser.submit("\(board)/cards/\(cards[1].id)", ["move": "-1"], from: board)
    #expect(try fixture.catalog.board(2, project: 1)?.cards.map(\.title) == ["two", "one"])
    _ = try await browser.submit(
      "\(board)/cards/\(cards[0].id)",
      ["title": "First", "text": "changed", "width": "full"],
      from: board
    )
    #expect(try fixture.catalog.board(2, project: 1)?.cards.last?.content == .text("changed"))
    _ = try await browser.submit("\(board)/cards/\(cards[1].id)", ["move": "remove"], from: board)
    #expect(try fixture.catalog.board(2, project: 1)?.cards.map(\.title) == ["First"])
    let refused = try await browser.submit(board + "/cards", ["text": ""], from: board)
    #expect(refused.status == 422 && refused.text.contains("1 to 4,000 characters"))
    _ = try await browser.submit(board, ["name": "Renamed"], from: board)
    #expect(try fixture.catalog.board(2, project: 1)?.name == "Renamed")
    _ = try await browser.submit(board + "/delete", from: board)
    #expect(try fixture.catalog.boards(project: 1).count == 1)
    #expect(await browser.get(board).status == 404)
    _ = try await browser.submit(Self.boards + "/1/delete", from: Self.boards)
    let none = await browser.get(Self.boards).text
    #expect(none.contains("No board yet."))
    _ = try await browser.submit(Self.boards, ["kind": "start"], from: Self.boards)
    #expect(try fixture.catalog.boards(project: 1).map(\.name) == ["Overview"])
  }

  @Test func `link shows the board to anyone, and nothing but the board`() async throws {
    let fixture = try DashboardFixture(events: Self.events, projectName: "Secret Shop")
    let browser = try fixture.signIn()
    let board = Self.boards + "/1"
    let made = try await browser.submit(board + "/links", ["days": "7"], from: board)
    let token = try token(made)
    #expect(await !browser.get(board).text.contains(token))
    let shared = await fixture.client.get("/shared/\(token)")
    #expect(shared.status == 200)
    #expect(shared.text.contains("Overview") && shared.text.contains("noindex"))
    #expect(!shared.text.contains("Secret Shop") && !shared.text.contains("/projects/"))
    #expect(!shared.text.contains("<form") && !shared.text.contains("owner"))
    let chart = await fixture.client.get("/shared/\(token)/cards/2")
    #expect(chart.text.contains("Song Played") && !chart.text.contains("/projects/"))
    for page in ["/projects/1/boards/1", "/projects/1/boards/1/cards/2", "/projects/1/live"] {
      #expect(await fixture.client.get(page).status == 303)
    }
    let other = try fixture.catalog.createBoard(
      name: "Other",
      cards: [BoardCard(title: "x", content: .text("hidden"))],
      project: 1
    )
    let card = try #require(other.cards.first?.id)
    #expect(await fixture.client.get("/shared/\(token)/cards/\(card)").status == 404)
    for guess in [String(token.dropLast()) + "!", "x", String(repeating: "A", count: 43)] {
      #expect(await fixture.client.get("/shared/\(guess)").status == 404)
    }
    _ = try await browser.submit("\(board)/links/1/revoke", from: board)
    #expect(await fixture.client.get("/shared/\(token)").status == 404)
    #expect(await fixture.client.get("/shared/\(token)/cards/2").status == 404)
  }

  @Test(arguments: [
    "by=person", "by=user.mail", "where=person:is:ada", "events=Song%20Played%7Cperson:is:ada",
    "where=%20person:is:ada", "events=Song%20Played%20%7C%20person:is:ada", "segment=2",
  ])
  func `link shows no chart that tells people apart`(query: String) async throws {
    let fixture = try DashboardFixture(events: Self.events)
    _ = try fixture.catalog.addSegment(
      name: "Just ada",
      definition: "all/all;user.name:is:ada",
      project: 1
    )
    let board = try fixture.catalog.createBoard(
      name: "People",
      cards: [BoardCard(title: "Who", content: .chart(question: "trend", parameters: query))],
      project: 1
    )
    let card = try #require(board.cards.first?.id)
    let token = try fixture.catalog.createBoardLink(board: board.id, project: 1).token
    let shared = await fixture.client.get("/shared/\(token)/cards/\(card)").text
    #expect(shared.contains("not shown by links"))
    #expect(!shared.contains("ada") && !shared.contains("bob"))
    let inside = await (try fixture.signIn()).get("\(Self.boards)/\(board.id)/cards/\(card)").text
    #expect(!inside.contains("not shown by links"))
  }

  @Test func `chart of a link is asked for once a minute, however many look`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    let token = try fixture.catalog.createBoardLink(board: 1, project: 1).token
    let asked = Lock(0)
    fixture.store.beforeAnswers { _ in asked.withLock { $0 += 1 } }
    let chart = "/shared/\(token)/cards/2"
    let first = await fixture.client.get(chart).text
    let once = asked.withLock { $0 }
    #expect(once > 0)
    await withTaskGroup { group in
      for _ in 0..<20 { group.addTask { await fixture.client.get(chart).text } }
      for await text in group { #expect(text == first) }
    }
    #expect(asked.withLock { $0 } == once)
    fixture.advance(seconds: SharedCards.lifeMs / 1_000)
    #expect(await fixture.client.get(chart).status == 200)
    #expect(asked.withLock { $0 } == 2 * once)
  }

  @Test func `more people than wait for charts are told to come again`() async throws {
    let cards = SharedCards { 0 }
    let isOpen = Monitor(false)
    @Sendable func key(_ id: Int) -> SharedCards.Key {
      SharedCards.Key(board: Int64(id), card: BoardCard(title: "", content: .text("")))
    }
    var router = Router()
    router.get("/:card") { request in
      cards.reply(key(Int(request.parameter("card")) ?? 0)) {
        isOpen.wait { $0 ? () : nil }
        return "chart"
      }
    }
    let client = TestClient(router)
    let statuses = await withTaskGroup { group in
      for id in 0...SharedCards.limit {
        group.addTask {
          let status = await client.get("/\(id)").status
          // One more than may wait is refused at once, and lets the others go.
          if status == 503 { isOpen.change { $0 = true } }
          return status
        }
      }
      return await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    }
    #expect(statuses == [200: SharedCards.limit, 503: 1])
  }

  @Test func `board stands when a chart cannot be answered, and says why only inside`() async throws
  {
    let fixture = try DashboardFixture(events: Self.events)
    let token = try fixture.catalog.createBoardLink(board: 1, project: 1).token
    fixture.store.fail(with: .unavailable("libduckdb.so was not found"))
    let browser = try fixture.signIn()
    #expect(await browser.get(Self.boards + "/1").status == 200)
    let inside = await browser.get(Self.boards + "/1/cards/1")
    #expect(inside.status == 200 && inside.text.contains("libduckdb.so was not found"))
    let outside = await fixture.client.get("/shared/\(token)/cards/1").text
    #expect(outside.contains("cannot be answered now") && !outside.contains("libduckdb"))
  }

  @Test func `viewer sees boards and may not change them`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    _ = try fixture.catalog.createUser(name: "Ada", role: .viewer)
    let viewer = try fixture.signIn(user: "Ada")
    let page = await viewer.get(Self.boards + "/1").text
    #expect(page.contains("Platforms") && !page.contains("/boards/1/links"))
    #expect(await !viewer.get("/projects/1/insights/trend").text.contains("Save to board"))
    #expect(await viewer.post(Self.boards + "/1/links", [:]).status == 403)
  }
}

@Suite struct `Catalogue pages` {
  @Test func `tell names, numbers and properties`() async throws {
    let fixture = try DashboardFixture(events: [
      DashboardFixture.event(1), DashboardFixture.event(2, isTest: true),
      DashboardFixture.event(3, name: "Bought", properties: #"{"price":9.5,"gift":true}"#),
    ])
    try fixture.catalog.setEventRule(EventRule(name: "Never Came", isBlocked: true), project: 1)
    let browser = try fixture.signIn()
    let page = await browser.get("/projects/1/catalogue").text
    #expect(page.contains("Song Played") && page.contains("Never Came"))
    #expect(page.contains(#"data-label="All">2</td>"#) && page.contains("refused"))
    let event = await browser.get("/projects/1/catalogue?name=Bought").text
    #expect(event.contains("price") && event.contains("<td>number</td>"))
    #expect(event.contains("gift") && event.contains("<td>boolean</td>"))
  }

  @Test func `describe, hide and block an event`() async throws {
    let fixture = try DashboardFixture(events: [DashboardFixture.event(1)])
    let browser = try fixture.signIn()
    let page = "/projects/1/catalogue?name=Song%20Played"
    #expect(await browser.get("/projects/1/names").text.contains("Song Played"))
    let saved = try await browser.submit(
      "/projects/1/catalogue",
      ["name": "Song Played", "description": "A song began", "hidden": "true", "blocked": "true"],
      from: page
    )
    #expect(saved.header("Location") == page)
    #expect(await browser.get(page).text.contains("A song began"))
    #expect(await !browser.get("/projects/1/names").text.contains("Song Played"))
    let names = try #require(fixture.catalog.blockedNames(project: 1))
    #expect(Array("Song Played".utf8).withUnsafeBytes { names.contains($0) })
    let refused = try await browser.submit(
      "/projects/1/catalogue",
      ["name": "Song Played", "description": String(repeating: "x", count: 1_001)],
      from: page
    )
    #expect(refused.status == 422 && refused.text.contains("up to 1,000 characters"))
  }

  @Test func `of a project without events says what is missing`() async throws {
    let page = await (try DashboardFixture().signIn()).get("/projects/1/catalogue").text
    #expect(page.contains("No event yet."))
  }
}
