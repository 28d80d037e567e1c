package import Catalog
package import Insights

extension SegmentShelf {
  /// The segments and lists that a project has saved.
  package init(_ catalog: Catalog, project: UInt32) {
    self.init(
      segment: { id in
        try catalog.segment(id, project: project).map {
          SegmentShelf.Saved(name: $0.name, definition: $0.definition)
        }
      },
      members: { try catalog.members(ofList: $0, project: project) }
    )
  }
}
