import Catalog
import Foundation
import Testing

@Suite struct `Segments of the catalogue` {
  private func catalog() throws -> Catalog {
    let catalog = try Fixture().open()
    _ = try catalog.createProject(name: "Shop")
    _ = try catalog.createProject(name: "Other")
    return catalog
  }

  @Test func `are kept, changed and removed in their project`() throws {
    let catalog = try catalog()
    let kept = try catalog.addSegment(name: " Pro ", definition: "all", project: 1)
    #expect(kept.name == "Pro")
    #expect(try catalog.segment(kept.id, project: 1) == kept)
    #expect(try catalog.segment(kept.id, project: 2) == nil)
    #expect(throws: CatalogError.self) {
      try catalog.addSegment(name: "Pro", definition: "any", project: 1)
    }
    _ = try catalog.addSegment(name: "Pro", definition: "any", project: 2)
    let changed = try catalog.changeSegment(kept.id, name: "Pro", definition: "none", project: 1)
    #expect(changed.definition == "none")
    #expect(throws: CatalogError.unknownSegment(kept.id)) {
      try catalog.changeSegment(kept.id, name: "x", definition: "all", project: 2)
    }
    #expect(throws: CatalogError.unknownSegment(kept.id)) {
      try catalog.removeSegment(kept.id, project: 2)
    }
    try catalog.removeSegment(kept.id, project: 1)
    #expect(try catalog.segments(project: 1).isEmpty)
    #expect(try catalog.audit().prefix(1).map(\.action) == ["segment.remove"])
  }

  @Test func `lists keep their members as they were`() throws {
    let catalog = try catalog()
    let members: [Int64] = [5, -7, .min, .max, 5, 0]
    let list = try catalog.addList(
      name: "VIP",
      members: members,
      failed: 120,
      failures: (1...120).map { .init(line: $0, reason: "odd \($0)") },
      project: 1
    )
    #expect(list.count == 5 && list.failed == 120 && list.failures.count == 100)
    #expect(try catalog.list(list.id, project: 1) == list)
    #expect(try catalog.members(ofList: list.id, project: 1) == [.min, -7, 0, 5, .max])
    #expect(try catalog.members(ofList: list.id, project: 2) == nil)
    try catalog.removeList(list.id, project: 1)
    #expect(try catalog.members(ofList: list.id, project: 1) == nil)
  }

  @Test(arguments: ["", "  ", String(repeating: "x", count: 101)])
  func `have a name of a sensible length`(name: String) throws {
    let catalog = try catalog()
    #expect(throws: CatalogError.self) {
      try catalog.addSegment(name: name, definition: "all", project: 1)
    }
    #expect(throws: CatalogError.self) { try catalog.addList(name: name, members: [], project: 1) }
  }
}
