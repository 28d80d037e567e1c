import Catalog
import Foundation
import Testing

@Suite struct `Remote settings of a project` {
  @Test func `a project begins with an empty object`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    let settings = try catalog.remoteSettings(project: project.id)
    #expect(settings.document == "{}")
    #expect(settings.version == 0)
    #expect(settings.changedAtMs == nil)
  }

  @Test func `what one process sets another reads, and versions only grow`() throws {
    let fixture = try Fixture()
    let (one, other) = (try fixture.open(), try fixture.open())
    let project = try one.createProject(name: "Notes")
    try one.setRemoteSettings(#"{"a":",}","b":"\",}"}"#, project: project.id)
    try one.setRemoteSettings(" {\"rows\": 1.10}\n", project: project.id)
    #expect(try other.remoteSettings(project: project.id).document == "{\"rows\": 1.10}")
    #expect(try other.setRemoteSettings("{}", project: project.id).version == 3)
    let last = try one.remoteSettings(project: project.id)
    #expect(last.version == 3)
    #expect(last.changedAtMs == 1_764_581_400_000)
  }

  @Test(arguments: [
    "", " ", "[]", "1", "{", "{\"a\":}", "{\"a\":1,}", "{\"a\":[1, ]}", "{'a':1}", "{\"a\":NaN}",
    "{} {}",
    "\u{feff}{}",
    "{\"a\":\"\0\"}", "{\"a\":01}", "{a:1}", "{\"a\":\"\\ud83d\"}",
  ])
  func `what is not a JSON object is refused, and the old one stays`(text: String) throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes")
    try catalog.setRemoteSettings("{\"a\":1}", project: project.id)
    #expect(throws: CatalogError.self) { try catalog.setRemoteSettings(text, project: project.id) }
    #expect(try catalog.remoteSettings(project: project.id).document == "{\"a\":1}")
  }

  @Test func `bytes and levels are bounded`() throws {
    let catalog = try Fixture().open()
    let project = try catalog.createProject(name: "Notes").id
    let padding = String(repeating: "x", count: Catalog.maxRemoteSettingsBytes - 8)
    try catalog.setRemoteSettings("{\"a\":\"\(padding)\"}", project: project)
    #expect(throws: CatalogError.self) {
      try catalog.setRemoteSettings("{\"a\":\"\(padding)x\"}", project: project)
    }
    func nested(_ levels: Int) -> String {
      "{\"a\":" + String(repeating: "[", count: levels - 1)
        + String(repeating: "]", count: levels - 1) + "}"
    }
    try catalog.setRemoteSettings(nested(15), project: project)
    #expect(throws: CatalogError.self) {
      try catalog.setRemoteSettings(nested(16), project: project)
    }
  }

  @Test func `a project that does not exist has none and gets none`() throws {
    let catalog = try Fixture().open()
    #expect(try catalog.remoteSettings(project: 9).document == "{}")
    #expect(throws: CatalogError.unknownProject(9)) {
      try catalog.setRemoteSettings("{}", project: 9)
    }
  }
}
