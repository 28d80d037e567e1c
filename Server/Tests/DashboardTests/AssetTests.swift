import Dashboard
import Foundation
import HTTPServing
import Testing

@Suite struct `Scripts and styles` {
  private func address(_ name: String, in html: String) -> String? {
    html.matches(of: /"(\/assets\/[^"]*)"/).map { String($0.1) }
      .first { $0.hasPrefix("/assets/\(name).") }
  }

  @Test func `they are kept for a year under an address that holds their hash`() async throws {
    let fixture = try DashboardFixture()
    let html = await fixture.client.get("/sign-in").text
    for suffix in ["css", "js"] {
      let pattern = try Regex("/assets/app\\.[0-9a-f]{12}\\.\(suffix)")
      let address = String(html[try #require(html.firstMatch(of: pattern)).range])
      let response = await fixture.client.get(address)
      #expect(response.status == 200)
      #expect(response.header("Cache-Control") == "public, max-age=31536000, immutable")
      #expect(
        response.header("Content-Type")?.contains(suffix == "css" ? "css" : "javascript") == true
      )
    }
    #expect(await fixture.client.get("/assets/app.000000000000.css").status == 404)
    #expect(await fixture.client.get("/assets/..%2Fcatalog.sqlite").status == 404)
  }

  @Test func `htmx and ECharts are served from the folder, and pages do without them`() async throws
  {
    let folder = FileManager.default.temporaryDirectory.path + "/assets-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { do { try FileManager.default.removeItem(atPath: folder) } catch { print(error) } }
    try Data("htmx()".utf8).write(to: URL(fileURLWithPath: folder + "/htmx.min.js"))

    let assets = AssetFolder(path: folder)
    #expect(assets.missing == ["echarts.min.js"])
    let fixture = try DashboardFixture(events: [DashboardFixture.event(1)], assets: assets)
    let html = await (try fixture.signIn()).get("/projects/1/live").text
    let htmx = try #require(address("htmx", in: html))
    #expect(await fixture.client.get(htmx).text == "htmx()")
    #expect(address("echarts", in: html) == nil)
    #expect(html.contains(#"<table class="table table-tight" id="series-table">"#))
    #expect(AssetFolder(path: nil).missing == ["htmx.min.js", "echarts.min.js"])
  }
}
