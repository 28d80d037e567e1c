import EventStore
import Foundation
import Insights

/// A statement as Phase's “Query” takes it: its rules over the text, and the one table that it is about.
///
/// DuckDB's reader and `ConsoleGuard` decide what may run; these are Phase's own limits, told as Phase tells
/// them. Source: `phase.md` section 7.2.
struct PhaseQuery {
  /// Rows of a page unless told.
  static let pageSize = 50
  /// The most rows of a page that the API hands out.
  static let maxPageSize = 50
  /// The most rows that are passed over.
  static let maxSkipped = 100_000
  /// After how many seconds a statement is stopped.
  static let seconds = 30.0

  /// Why a statement is refused.
  struct Problem: Error {
    let detail: String
  }

  let query: ConsoleQuery

  private static let verbs: Set = [
    "insert", "update", "delete", "drop", "alter", "create", "truncate", "grant", "revoke", "copy",
    "attach", "detach", "call", "execute", "merge", "vacuum", "set",
  ]
  private static let times = ["timestamp", "first_seen", "started_at", "last_activity_at"]

  /// Reads a statement.
  ///
  /// - Parameters:
  ///   - text: the statement.
  ///   - page: which page, from 1 on.
  ///   - project: whose events.
  ///   - nowMs: now, from which the last 30 days count unless the text compares a time.
  /// - Throws: `Problem`.
  init(_ text: String, page: Int, project: UInt32, nowMs: Int64) throws(Problem) {
    guard (1...10_000).contains(text.unicodeScalars.count) else {
      throw Problem(detail: "A statement has 1 to 10,000 characters.")
    }
    let words = Self.words(of: text)
    guard words.first == "select" else { throw Problem(detail: "Only SELECT is allowed.") }
    guard !words.contains(";") else { throw Problem(detail: "A semicolon is not allowed.") }
    for (word, name) in [("join", "JOIN"), ("offset", "OFFSET")] where words.contains(word) {
      throw Problem(detail: "\(name) is not allowed.")
    }
    if let verb = words.first(where: Self.verbs.contains) {
      throw Problem(detail: "\(verb.uppercased()) is not allowed.")
    }
    if let word = words.first(where: { ["devices", "device_id"].contains($0) }) {
      throw Problem(detail: "\(word) is not there; use users and user_id.")
    }
    let named = Self.tables(in: words).compactMap(PhaseTables.init(rawValue:))
    guard named.count == 1, let table = named.first else {
      throw Problem(detail: "A statement is about one of the tables events, users and sessions.")
    }
    let skipped = (page - 1) * Self.pageSize
    guard page >= 1, skipped <= Self.maxSkipped else {
      throw Problem(detail: "At most \(Self.maxSkipped) rows are passed over.")
    }
    query = ConsoleQuery(
      text: text,
      tables: [
        table.table(
          project: project,
          fromMs: Self.comparesTime(words) ? nil : nowMs - 30 * 86_400_000
        )
      ],
      maxRows: Self.pageSize,
      skippedRows: skipped,
      seconds: Self.seconds
    )
  }

  /// Words and signs in lower case, without what stands in quotes and comments.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var rest = Array(text)[...]
    func isOfWord(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
    while let character = rest.popFirst() {
      if isOfWord(character) {
        word.append(contentsOf: character.lowercased())
        continue
      }
      if !word.isEmpty { words.append(word) }
      word = ""
      switch character {
      case "'":
        while let inside = rest.popFirst(), inside != "'" {}
        words.append("''")
      case "-" where rest.first == "-":
        while let inside = rest.popFirst(), !inside.isNewline {}
      case "/" where rest.first == "*":
        while let inside = rest.popFirst(), !(inside == "*" && rest.first == "/") {}
        _ = rest.popFirst()
      case _ where character.isWhitespace: break
      default: words.append(String(character))
      }
    }
    return word.isEmpty ? words : words + [word]
  }

  /// What stands after FROM, and after commas behind it.
  private static func tables(in words: [String]) -> Set<String> {
    var tables: Set<String> = []
    for (index, word) in words.enumerated() where word == "from" && index + 1 < words.count {
      var next = index + 1
      tables.insert(words[next])
      while next + 2 < words.count, words[next + 1] == "," {
        next += 2
        tables.insert(words[next])
      }
    }
    return tables
  }

  /// Whether one of the time columns is compared with something.
  private static func comparesTime(_ words: [String]) -> Bool {
    let signs: Set = ["<", ">", "=", "!", "between", "in", "not"]
    return words.indices.contains { index in
      guard times.contains(words[index]) else { return false }
      let isLeft = index + 1 < words.count && signs.contains(words[index + 1])
      return isLeft || index > 0 && ["<", ">", "="].contains(words[index - 1])
    }
  }
}
