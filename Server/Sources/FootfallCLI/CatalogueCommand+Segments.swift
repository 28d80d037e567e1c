import AdminAPI
import Catalog
import Insights

extension CatalogueCommand {
  /// Where a project's segments and lists are found by questions.
  static func shelf(_ project: UInt32, in catalog: Catalog) -> SegmentShelf {
    SegmentShelf(catalog, project: project)
  }
}
