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
    rates = project.reckoning.rates.values
    keptDays = Self.keptDays(project.id, catalog)
  }
}

extension QuestionForm.Setting {
  /// How many days every event of a project is kept at least; nil for ever.
  private static func keptDays(_ project: UInt32, _ catalog: Catalog) -> Int? {
    do {
      let rules = try catalog.rules(project: project)
      return (rules.names.map(\.days) + [rules.retentionDays].compactMap { $0 }).min()
    } catch {
      // A catalogue that cannot be read fails the question where it is read for more than a sentence.
      return nil
    }
  }
}
