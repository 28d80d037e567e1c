import Catalog
import EventRecord
import EventStore
import Foundation
import HTTPServing
import Insights
import Testing

@Suite struct `The pages of segments and lists` {
  private static let segments = "/projects/1/people/segments"

  private static let events: [StoredEvent] =
    (1...6).map { number in
      var event = DashboardFixture.event(
        UInt64(number),
        name: number < 4 ? "Bought" : "Opened",
        user: "user-\(number)",
        device: "phone-\(number)"
      )
      event.operations = number % 2 == 0 ? #"{"$set":{"plan":"pro"}}"# : ""
      return event
    }

  private static func ids(_ html: String) -> Set<String> {
    Set(html.matches(of: /people\/profile\?id=([^"&]*)/).map { String($0.1) })
  }

  @Test func `a segment is put together rule by rule, counted, saved, and narrows everything down`()
    async throws
  {
    let fixture = try DashboardFixture(events: Self.events)
    let browser = try fixture.signIn()
    let first = await browser.get(Self.segments + "/new?kind=did&event=Bought&times=1&days=7")
    let address = try #require(first.header("Location"))
    #expect(address.contains("definition="))
    let second = await browser.get(address + "&f=plan&op=is&v=pro&to=0")
    let both = try #require(second.header("Location"))
    let page = await browser.get(both).text
    #expect(page.contains("did Bought in the last 7 days and plan of the person is pro"))
    let count = try #require(page.firstMatch(of: /hx-get="([^"]*count[^"]*)"/)?.1)
    let counted = await browser.get(String(count).replacing("&amp;", with: "&")).text
    #expect(counted == "1 person")
    let definition = Segment(
      .all,
      [
        .init(
          .all,
          [
            .didAtLeast(1, FunnelStep("Bought"), days: 7),
            .holds(Condition(.user("plan"), .equals, "pro")),
          ]
        )
      ]
    ).text
    let saved = try await browser.submit(
      Self.segments,
      ["name": "Good customers", "definition": definition],
      from: both
    )
    #expect(saved.status == 303)
    let own = try #require(saved.header("Location"))
    let id = try #require(own.split(separator: "/").last)
    #expect(await browser.get(own).text.contains("Good customers"))
    #expect(Self.ids(await browser.get("/projects/1/people?segment=\(id)").text) == ["user-2"])
    let trend = await browser.get("/projects/1/insights/trend?range=7d&segment=\(id)").text
    #expect(trend.contains(#"<p class="figure-value num">1</p>"#))
    #expect(Self.ids(await browser.get("/projects/1/explore?segment=\(id)").text) == ["user-2"])
    // Taken away, it says so wherever it is asked for.
    _ = try await browser.submit(own + "/remove", from: own + "/remove")
    for page in ["/projects/1/people", "/projects/1/insights/trend", "/projects/1/explore"] {
      let answer = await browser.get("\(page)?segment=\(id)")
      #expect(answer.status == 422 && answer.text.contains("There is no segment"), "\(page)")
    }
  }

  @Test func `what is saved twice or makes no sense is refused with a sentence`() async throws {
    let fixture = try DashboardFixture(events: Self.events)
    let browser = try fixture.signIn()
    for (name, definition) in [
      ("Of all", "all"), ("", "all"), ("New", "nonsense"), ("New", "all/all;in-list 99"),
    ] {
      let answer = try await browser.submit(
        Self.segments,
        ["name": name, "definition": definition],
        from: Self.segments + "/new"
      )
      #expect(answer.status == 422, "\(name) \(definition)")
      #expect(answer.text.contains(#"role="alert""#))
    }
  }

  @Test func `a list is imported, its bad lines are told, and it is not removed unseen`()
    async throws
  {
    let fixture = try DashboardFixture(events: Self.events)
    let browser = try fixture.signIn()
    let lists = "/projects/1/people/lists"
    let token = try #require(Browser.formToken(await browser.get(lists).text))
    func upload(_ name: String, _ text: String) async -> Response {
      let parts = [
        "form_token\"\r\n\r\n\(token)", "name\"\r\n\r\n\(name)",
        "file\"; filename=\"list.csv\"\r\nContent-Type: text/csv\r\n\r\n\(text)",
      ]
      let body =
        parts.map { "--b\r\nContent-Disposition: form-data; name=\"\($0)\r\n" }.joined()
        + "--b--\r\n"
      return await fixture.client.post(
        lists,
        headers: [
          Header("Cookie", browser.cookie),
          Header("Content-Type", "multipart/form-data; boundary=b"),
        ],
        text: body
      )
    }
    let added = await upload("VIP", "user_id\nuser-1\nuser-3\nnobody\na,b\n")
    let own = try #require(added.header("Location"))
    let page = await browser.get(own).text
    #expect(page.contains("It has 2 values; the first line names 1."))
    #expect(try fixture.catalog.list(2, project: 1)?.count == 3)
    #expect(
      Self.ids(await browser.get("/projects/1/people?where=in-list%202").text) == [
        "user-1", "user-3",
      ]
    )
    #expect(await upload("VIP", "user_id\nx\n").status == 422)
    #expect(await upload("Other", "name\nx\n").text.contains("names no column user_id"))
    _ = try await browser.submit(
      Self.segments,
      ["name": "VIPs", "definition": "all/all;in-list 2"],
      from: Self.segments + "/new"
    )
    #expect(await browser.get(own + "/remove").text.contains("the segment VIPs"))
  }

  @Test("AWS-D22 a segment of platform and model follows its members, an imported one does not")
  func followsItsMembers() async throws {
    func event(_ number: Int, model: String, at secondsAgo: Int64) -> StoredEvent {
      var event = DashboardFixture.event(
        UInt64(number),
        name: "_session.start",
        secondsAgo: secondsAgo,
        user: "",
        device: "endpoint-\(number % 100)"
      )
      event.context = #"{"platform":"ios","model":"\#(model)"}"#
      return event
    }
    let members = (1...5).map { event($0, model: "iPhone17,2", at: 100) }
    let others = (6...8).map { event($0, model: "iPhone16,1", at: 100) }
    let definition = "all/all;platform:is:ios;model:is:iPhone17,2"
    let list = "user_id,device_id\n" + (1...99).map { ",endpoint-\($0)\n" }.joined()
    for (events, expected) in [
      (members + others, "5 people"),
      (members + others + [event(105, model: "iPad16,3", at: 5)], "4 people"),
    ] {
      let fixture = try DashboardFixture(events: events)
      let browser = try fixture.signIn()
      let text = Browser.encoded(definition)
      #expect(await browser.get(Self.segments + "/count?definition=\(text)").text == expected)
      let read = try ListFile(Array(list.utf8)) { _, _ in nil }.read(project: 1)
      let kept = try fixture.catalog.addList(
        name: "Imported",
        members: read.members,
        count: read.count,
        project: 1
      )
      #expect(kept.count == 99)
      #expect(await browser.get("/projects/1/people/lists/\(kept.id)").text.contains(">99</p>"))
    }
  }

  @Test(
    "AWS-D11 who is inactive for eight days leaves a segment of the last seven without any edit"
  )
  func leavesByItself() async throws {
    func endpoint(_ number: UInt64, _ interest: String) -> [StoredEvent] {
      var identify = DashboardFixture.event(number, kind: .identify, properties: "")
      identify.operations = #"{"$set":{"interests":["\#(interest)","music"]}}"#
      var start = DashboardFixture.event(number + 10, name: "_session.start")
      for index in [0, 1] {
        let id = "endpoint-\(number)"
        if index == 0 { (identify.userID, identify.deviceID) = ("", id) }
        if index == 1 { (start.userID, start.deviceID) = ("", id) }
      }
      return [identify, start]
    }
    let fixture = try DashboardFixture(events: endpoint(1, "science") + endpoint(2, "Science"))
    let browser = try fixture.signIn()
    let segment = try fixture.catalog.addSegment(
      name: "Curious",
      definition: "all/all;user.interests:contains:sci;active within 7d",
      project: 1
    )
    let people = "/projects/1/people?segment=\(segment.id)"
    #expect(Self.ids(await browser.get(people).text) == ["endpoint-1"])
    fixture.advance(seconds: 6 * 86_400)
    #expect(Self.ids(await browser.get(people).text) == ["endpoint-1"])
    fixture.advance(seconds: 2 * 86_400)
    #expect(Self.ids(await browser.get(people).text).isEmpty)
    #expect(try fixture.catalog.segment(segment.id, project: 1) == segment)
  }
}

@Suite struct `The page of past events` {
  @Test func `narrows down by any property, shows chosen columns, and pages to the end`()
    async throws
  {
    let events = (1...130).map { number in
      DashboardFixture.event(
        UInt64(number),
        secondsAgo: Int64(number),
        user: "user-\(number)",
        properties: #"{"price":\#(number),"kind":"k\#(number % 2)"}"#
      )
    }
    let browser = try DashboardFixture(events: events).signIn()
    let added = await browser.get("/projects/1/explore?f=price&op=over&v=120")
    #expect(added.header("Location") == "/projects/1/explore?where=props.price%3Aover%3A120")
    let page = await browser.get(
      "/projects/1/explore?where=props.price:over:120&columns=props.kind;platform"
    ).text
    #expect(page.matches(of: /<tr><td class="no-wrap">/).count == 10)
    #expect(page.contains(">k1</td>") && page.contains(">iOS</td>"))
    let all = await browser.get("/projects/1/explore").text
    #expect(all.matches(of: /<tr><td class="no-wrap">/).count == 100)
    let next = try #require(all.firstMatch(of: /rel="next" href="([^"]*)"/)?.1)
    let rest = await browser.get(String(next).replacing("&amp;", with: "&")).text
    #expect(rest.matches(of: /<tr><td class="no-wrap">/).count == 30)
    let csv = await browser.get("/projects/1/explore?columns=props.kind&format=csv").text
    #expect(csv.split(separator: "\r\n").count == 131)
    #expect(csv.hasPrefix("time,event,user_id,device_id,session_id,props.kind,props\r\n"))
    let wrong = await browser.get("/projects/1/explore?columns=user.plan")
    #expect(wrong.status == 422 && wrong.text.contains("is no field of an event"))
  }

  @Test(arguments: [
    ("=1+1", "'=1+1"), ("-5", "-5"), ("a,b", "\"a,b\""), ("@x", "'@x"), ("a\"b", "\"a\"\"b\""),
  ])
  func `writes what no spreadsheet runs`(text: String, field: String) async throws {
    let json = try JSONSerialization.data(withJSONObject: ["x": text])
    let event = DashboardFixture.event(1, properties: String(decoding: json, as: UTF8.self))
    let browser = try DashboardFixture(events: [event]).signIn()
    let csv = await browser.get("/projects/1/explore?columns=props.x&format=csv").text
    #expect(csv.contains(",\(field),"))
  }
}

@Suite struct `The pages of groups` {
  @Test func `list accounts and show one with its properties, people and events`() async throws {
    var events = (1...3).map { number in
      var event = DashboardFixture.event(
        UInt64(number),
        user: "user-\(number)",
        device: "d-\(number)"
      )
      event.groups = #"{"org":"\#(number < 3 ? "acme" : "other")"}"#
      return event
    }
    var about = DashboardFixture.event(
      4,
      name: "$groupidentify",
      user: "",
      device: "",
      kind: .groupIdentify,
      properties: ""
    )
    about.groups = #"{"org":"acme"}"#
    about.operations = #"{"$set":{"seats":12}}"#
    events.append(about)
    let browser = try DashboardFixture(events: events).signIn()
    let list = await browser.get("/projects/1/people/groups").text
    #expect(list.contains(">acme</a>") && list.contains(">other</a>"))
    let only = await browser.get("/projects/1/people/groups?q=oth").text
    #expect(!only.contains(">acme</a>") && only.contains(">other</a>"))
    let page = await browser.get("/projects/1/people/group?type=org&name=acme").text
    #expect(page.contains("seats") && page.contains(">12<"))
    let ids = Set(page.matches(of: /people\/profile\?id=([^"&]*)/).map { String($0.1) })
    #expect(ids == ["user-1", "user-2"])
    #expect(page.matches(of: /<li class="event"/).count == 2)
  }
}
