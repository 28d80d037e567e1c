package import Catalog
package import Insights

extension QuestionForm.Setting {
  /// What questions about a project are asked with: its reckoning and its segments, and the time.
  package init(_ project: Project, in catalog: Catalog, nowMs: Int64) {
    self.init(
      project: project.id,
      timeZone: project.timeZone,
      weekStart: project.reckoning.weekStart.rawValue,
      currency: project.reckoning.currency,
      formula: project.reckoning.formula.rawValue,
      nowMs: nowMs,
      segments: SegmentShelf(catalog, project: project.id)
    )
  }
}
