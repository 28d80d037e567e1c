import Dispatch
import Foundation
import FootfallSystem
import Testing

@testable import Catalog

@Suite struct `A project's name` {
  @Test(arguments: [
    ("Notes", "notes", true), ("Notes", "  NOTES\n", true), ("Ärger", "äRGER", true),
    ("Cafe\u{301}", "CAFÉ", true), ("Notes", "Notes 2", false), ("Notes", "No tes", false),
  ])
  func `is the same whatever the case of its letters and the space around it`(
    one: String,
    other: String,
    isSame: Bool
  ) {
    #expect((ProjectName(one) == ProjectName(other)) == isSame)
  }

  @Test func `that another project has is given neither to a new one nor to an old one`() throws {
    let catalog = try Fixture().open()
    let notes = try catalog.createProject(name: "Notes")
    let shop = try catalog.createProject(name: "Shop")
    let taken = CatalogError.invalid(
      field: "name",
      reason: "Project 1 is called “Notes” already; choose another name."
    )
    #expect(throws: taken) { try catalog.createProject(name: " notes ") }
    #expect(throws: taken) {
      try catalog.updateProject(shop.id, name: "NOTES", timeZone: "UTC")
    }
    #expect(try catalog.projects().map(\.name) == ["Notes", "Shop"])
    // Its own it may write otherwise.
    try catalog.updateProject(notes.id, name: "NOTES", timeZone: "Asia/Tokyo")
    #expect(try catalog.projects().map(\.name) == ["NOTES", "Shop"])
    #expect(throws: CatalogError.unknownProject(99)) {
      try catalog.updateProject(99, name: "notes", timeZone: "UTC")
    }
  }

  @Test func `that two have from earlier goes on being theirs`() throws {
    let fixture = try Fixture()
    for name in ["Notes", "Shop"] { _ = try fixture.open().createProject(name: name) }
    try Database(path: fixture.path, busyMs: 5_000).script("UPDATE projects SET name = 'Notes'")
    let catalog = try fixture.open()
    try catalog.updateProject(2, name: "Notes", timeZone: "Asia/Tokyo")
    #expect(try catalog.project(2)?.timeZone == "Asia/Tokyo")
    #expect(throws: CatalogError.self) { try catalog.createProject(name: "notes") }
    try catalog.updateProject(2, name: "Shop", timeZone: "Asia/Tokyo")
    #expect(try catalog.projects().map(\.name) == ["Notes", "Shop"])
  }

  @Test func `that two processes give at the same moment is given once`() throws {
    let fixture = try Fixture()
    let catalogs = try (0..<8).map { _ in try fixture.open() }
    let outcomes = Lock((made: 0, refused: 0))
    DispatchQueue.concurrentPerform(iterations: catalogs.count) { index in
      do throws(CatalogError) {
        _ = try catalogs[index].createProject(name: index.isMultiple(of: 2) ? "Notes" : "NOTES")
        outcomes.withLock { $0.made += 1 }
      } catch {
        guard case .invalid(field: "name", _) = error else {
          Issue.record(error)
          return
        }
        outcomes.withLock { $0.refused += 1 }
      }
    }
    #expect(outcomes.withLock { $0.made } == 1)
    #expect(outcomes.withLock { $0.refused } == 7)
    #expect(try fixture.open().projects().count == 1)
  }

  @Test func `of the first start is another one where it is taken`() throws {
    let catalog = try Fixture().open()
    _ = try catalog.createProject(name: "my APP")
    let first = try catalog.prepareFirstStart()
    #expect(first?.project.name == "My app 2")
  }
}
