import Catalog
import Insights

extension CatalogueCommand {
  /// Where a project's segments and lists are found by questions.
  static func shelf(_ project: UInt32, in catalog: Catalog) -> SegmentShelf {
    SegmentShelf(
      segment: { id in
        try catalog.segment(id, project: project).map {
          SegmentShelf.Saved(name: $0.name, definition: $0.definition)
        }
      },
      members: { try catalog.members(ofList: $0, project: project) }
    )
  }
}
