import Catalog
import HTTPServing
import Testing

@testable import Dashboard

/// What is said beside a field when a form is refused.
@Suite struct `A form that is refused` {
  /// The tag of a field and the sentence beside it.
  private func fault(_ response: Response) -> (tag: String, reason: String)? {
    let html = response.text
    guard
      let reason = html.firstMatch(
        of: /<span class="field-problem" id="problem" role="alert">([^<]*)<\/span>/
      ),
      let tag = html.firstMatch(of: /<(input|textarea|select) [^>]*aria-invalid="true"[^>]*>/)
    else { return nil }
    return (String(tag.0), String(reason.1))
  }

  private static let cases:
    [(form: String, page: String, fields: [String: String], field: String)] =
      [
        ("/projects", "/projects/new", ["name": "", "time_zone": "UTC"], "name"),
        ("/projects", "/projects/new", ["name": "A", "time_zone": "No/Where"], "time_zone"),
        ("/projects/1", "/projects/1/settings", ["name": "", "time_zone": "UTC"], "name"),
        (
          "/projects/1", "/projects/1/settings",
          ["name": "A", "time_zone": "UTC", "currency": "EURO"], "currency"
        ),
        ("/projects/1/rules", "/projects/1/settings", ["retention_days": "soon"], "retention_days"),
        ("/projects/1/rules", "/projects/1/settings", ["events_per_day": "few"], "events_per_day"),
        ("/projects/1/rules", "/projects/1/settings", ["names": "Song Played"], "names"),
        ("/projects/1/keys/adopt", "/projects/1/keys", ["kind": "aws", "value": "x"], "kind"),
        ("/projects/1/read-keys", "/projects/1/keys", ["name": "A", "days": "x"], "days"),
        (
          "/projects/1/data/erase", "/projects/1/data", ["name": "A", "action": "erase"],
          "confirmation"
        ),
        ("/projects/1/data/export", "/projects/1/data", ["from": "soon"], "from"),
        ("/projects/1/data/export", "/projects/1/data", ["from": "2026-10-24T22:00"], "from"),
        (
          "/projects/1/data/erase", "/projects/1/data",
          ["to": "2026-02-30", "action": "erase", "confirm": "Demo"], "to"
        ),
        ("/projects/1/alerts", "/projects/1/alerts", ["name": "A", "question": "no"], "question"),
        (
          "/projects/1/alerts", "/projects/1/alerts",
          ["name": "A", "question": "trend", "rule": "over", "amount": "x"], "amount"
        ), ("/projects/1/boards", "/projects/1/boards", ["name": ""], "name"),
        ("/people", "/people", ["name": "owner", "role": "viewer"], "name"),
        ("/account/password", "/account", ["password": "short"], "password"),
      ]

  @Test(arguments: cases)
  func `says what is wrong beside the field, which names the sentence and keeps what was typed`(
    form: String,
    page: String,
    fields: [String: String],
    field: String
  ) async throws {
    let browser = try DashboardFixture().signIn()
    let response = try await browser.submit(form, fields, from: page)
    #expect(response.status == 422)
    let fault = try #require(self.fault(response), "\(response.text.suffix(4_000))")
    #expect(fault.tag.contains("name=\"\(field)\""))
    #expect(fault.tag.contains("aria-describedby=\"problem"))
    #expect(!fault.reason.isEmpty)
    // Said once: not on top of the page, too.
    #expect(!response.text.contains(#"<p class="alert" role="alert">"#))
    #expect(response.text.ranges(of: "id=\"problem\"").count == 1)
    if let typed = fields[field], fault.tag.hasPrefix("<input"), field != "password" {
      #expect(fault.tag.contains("value=\"\(typed)\""))
    }
  }

  @Test(arguments: [("/projects", "/projects/new"), ("/projects/2", "/projects/2/settings")])
  func `that gives a project another's name says so beside it`(
    form: String,
    page: String
  ) async throws {
    let fixture = try DashboardFixture()
    let name = try #require(try fixture.catalog.projects().first).name
    _ = try fixture.catalog.createProject(name: "Another")
    let typed = name.uppercased()
    let response = try await fixture.signIn().submit(
      form,
      ["name": typed, "time_zone": "UTC"],
      from: page
    )
    #expect(response.status == 422)
    let fault = try #require(self.fault(response), "\(response.text.suffix(4_000))")
    #expect(fault.tag.contains("name=\"name\"") && fault.tag.contains("value=\"\(typed)\""))
    #expect(fault.reason == "Project 1 is called “\(name)” already; choose another name.")
    #expect(try fixture.catalog.projects().map(\.name) == [name, "Another"])
  }

  @Test(arguments: [
    ("trend?zone=Nowhere", "zone"), ("funnel?steps=a;b&same=nothing", "same"),
    ("trend?measure=sum", "property"), ("revenue?currency=EURO", "currency"),
  ])
  func `of a question likewise`(address: String, field: String) async throws {
    let browser = try DashboardFixture(events: [DashboardFixture.event(1)]).signIn()
    let response = await browser.get("/projects/1/insights/" + address)
    #expect(response.status == 422)
    #expect(try #require(fault(response)).tag.contains("name=\"\(field)\""))
  }

  @Test func `says it on top where the form has no such field to be seen`() {
    let page = """
      <p class="alert" role="alert">No.</p><form action="/a"><label><input type="hidden" name="x" \
      value=""></label></form>
      """
    #expect(FieldFault(action: "/a", field: "x", reason: "No.").placed(in: page) == page)
    #expect(FieldFault(action: "/b", field: "x", reason: "No.").placed(in: page) == page)
    let folded = """
      <p class="alert" role="alert">No.</p><details><summary>x</summary><form action="/a">\
      <label><input name="x" value=""></label></form></details>
      """
    #expect(FieldFault(action: "/a", field: "x", reason: "No.").placed(in: folded) == folded)
  }
}
