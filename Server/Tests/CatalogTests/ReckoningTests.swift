import Catalog
import Testing

@Suite struct `How a project's numbers are reckoned` {
  @Test func `is from Monday in no currency unless set, and kept`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    #expect(project.timeZone == "UTC" && project.reckoning == Reckoning())
    let wanted = Reckoning(weekStart: .sunday, currency: "eur", formula: .price)
    try catalog.updateProject(
      project.id,
      name: "Notes",
      timeZone: "Europe/Berlin",
      reckoning: wanted
    )
    let found = try #require(try fixture.open().project(project.id)).reckoning
    #expect(found == Reckoning(weekStart: .sunday, currency: "EUR", formula: .price))
    #expect(found.summary == "weeks from Sunday, revenue in EUR by the price alone")
    let note = try catalog.audit(limit: 1).first
    #expect(note?.detail == "“Notes”, Europe/Berlin, \(found.summary)")
  }

  @Test func `stays when only the name changes`() throws {
    let catalog = try Fixture().open()
    let id = try catalog.createProject(name: "Notes").id
    let wanted = Reckoning(weekStart: .saturday, currency: "JPY")
    try catalog.updateProject(id, name: "Notes", timeZone: "UTC", reckoning: wanted)
    try catalog.updateProject(id, name: "Shop", timeZone: "UTC")
    #expect(try catalog.project(id)?.reckoning == wanted)
  }

  @Test(arguments: ["EU", "EURO", "E1R", "€€€"])
  func `in what is no currency is refused and changes nothing`(code: String) throws {
    let catalog = try Fixture().open()
    let id = try catalog.createProject(name: "Notes").id
    #expect(throws: CatalogError.self) {
      try catalog.updateProject(
        id,
        name: "Shop",
        timeZone: "UTC",
        reckoning: Reckoning(currency: code)
      )
    }
    #expect(try catalog.project(id)?.name == "Notes")
  }
}
