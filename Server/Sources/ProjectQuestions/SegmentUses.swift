package import Catalog
import Insights

extension Catalog {
  /// What saved things ask for a segment, each as a sentence's part.
  package func uses(ofSegment id: Int64, project: UInt32) throws(CatalogError) -> [String] {
    func asks(_ word: String, _ query: String) -> Bool {
      // What is no question any more asks for nothing.
      do { return try SavedQuestion(word: word, query: query).values["segment"] == "\(id)" } catch {
        return false
      }
    }
    let boards = try boards(project: project).filter { board in
      board.cards.contains { card in
        guard case .chart(question: let word, parameters: let query) = card.content else {
          return false
        }
        return asks(word, query)
      }
    }
    let alerts = try alerts(project: project)
      .filter { asks($0.terms.question, $0.terms.parameters) }
    return boards.map { "the board \($0.name)" } + alerts.map { "the alert \($0.terms.name)" }
  }

  /// The segments that ask for a list, each as a sentence's part.
  package func uses(ofList id: Int64, project: UInt32) throws(CatalogError) -> [String] {
    try segments(project: project)
      .filter { Segment($0.definition)?.lists.contains(id) ?? false }
      .map { "the segment \($0.name)" }
  }
}
