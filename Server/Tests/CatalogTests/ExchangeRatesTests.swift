import Catalog
import Testing

@Suite struct `Exchange rates` {
  @Test(arguments: [
    ("EUR 1.10, GBP 1.27", "EUR 1.10, GBP 1.27"),
    ("gbp=1.27;eur 1.1\nJPY 0.0067", "EUR 1.1, GBP 1.27, JPY 0.0067"),
    ("", ""), (" , ", ""),
  ])
  func `are kept as they were written`(text: String, kept: String) throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let reckoning = Reckoning(currency: "USD", rates: try ExchangeRates(written: text))
    try catalog.updateProject(project.id, name: "Notes", timeZone: "UTC", reckoning: reckoning)
    let rates = try #require(try catalog.project(project.id)).reckoning.rates
    #expect(rates.description == kept)
    #expect(rates.values["GBP"] == (kept.contains("GBP") ? 1.27 : nil))
  }

  @Test(arguments: [
    ("EUR", "“EUR” is no rate"), ("EUR 1.1 2", "“EUR 1.1 2” is no rate"),
    ("EUR 1, eur 2", "EUR has two rates"),
    ("EURO 1.1", "“EURO” is no currency"), ("USD 1", "USD is the project’s own currency"),
    ("EUR 0", "“0” is no rate of EUR"), ("EUR -1", "“-1” is no rate of EUR"),
    ("EUR 1e3", "“1e3” is no rate of EUR"),
    ("EUR nan", "“nan” is no rate of EUR"), ("EUR 1000001", "“1000001” is no rate of EUR"),
    ("EUR 1.", "“1.” is no rate of EUR"),
  ])
  func `that cannot be reckoned with are refused with what was read`(
    text: String,
    reason: String
  ) throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    do throws(CatalogError) {
      let reckoning = Reckoning(currency: "USD", rates: try ExchangeRates(written: text))
      try catalog.updateProject(project.id, name: "Notes", timeZone: "UTC", reckoning: reckoning)
      Issue.record("“\(text)” was taken.")
    } catch {
      guard case .invalid("rates", let said) = error else { throw error }
      #expect(said.hasPrefix(reason))
    }
    #expect(try catalog.project(project.id)?.reckoning == Reckoning())
  }

  @Test func `need a currency of the project's own`() throws {
    let fixture = try Fixture()
    let catalog = try fixture.open()
    let project = try catalog.createProject(name: "Notes")
    let reckoning = Reckoning(rates: ExchangeRates(["EUR": "1.1"]))
    #expect(throws: CatalogError.self) {
      try catalog.updateProject(project.id, name: "Notes", timeZone: "UTC", reckoning: reckoning)
    }
  }
}
