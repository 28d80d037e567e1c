import EventStore
import Testing

@testable import DuckDBStore

@Suite struct `Answer cache` {
  private static func rows(_ number: Int64) -> [Row] { [Row([.integer(number)])] }

  private static func isNone(_ found: AnswerCache.Found) -> Bool {
    if case .none = found { true } else { false }
  }

  private static func numbers(_ found: AnswerCache.Found) throws -> [Int64] {
    guard case .answer(let rows) = found else { return [] }
    return try rows.map { try $0.integer(0) }
  }

  @Test func `tells statements and their values apart`() throws {
    let cache = AnswerCache(maxBytes: 10_000, leastSeconds: 0)
    let (one, two) = (SQL("q", binding: [.integer(1)]), SQL("q", binding: [.integer(2)]))
    cache.keep(Self.rows(1), of: one, changes: 0, seconds: 1)
    cache.keep(Self.rows(2), of: two, changes: 0, seconds: 1)
    #expect(try Self.numbers(cache.answer(of: one)) == [1])
    #expect(try Self.numbers(cache.answer(of: two)) == [2])
    #expect(Self.isNone(cache.answer(of: SQL("q"))))
    // An é of one code point and one of two read the same.
    let names = ["\u{e9}", "e\u{301}"].map { SQL("q", binding: [.text($0)]) }
    cache.keep(Self.rows(3), of: names[0], changes: 0, seconds: 1)
    #expect(Self.isNone(cache.answer(of: names[1])))
  }

  @Test func `forgets with a change, also what was under way then`() {
    let cache = AnswerCache(maxBytes: 10_000, leastSeconds: 0)
    guard case .none(let before) = cache.answer(of: SQL("a")) else {
      Issue.record("There is an answer before any was kept.")
      return
    }
    cache.keep(Self.rows(1), of: SQL("b"), changes: before, seconds: 1)
    cache.change()
    cache.keep(Self.rows(1), of: SQL("a"), changes: before, seconds: 1)
    #expect(Self.isNone(cache.answer(of: SQL("a"))))
    #expect(Self.isNone(cache.answer(of: SQL("b"))))
  }

  @Test func `keeps what took long, as much as there is room for, what was asked last`() {
    let cache = AnswerCache(maxBytes: 560, leastSeconds: 0.5)
    cache.keep(Self.rows(1), of: SQL("quick"), changes: 0, seconds: 0.4)
    cache.keep(
      Self.rows(1) + Self.rows(2),
      of: SQL("larger than an eighth"),
      changes: 0,
      seconds: 1
    )
    #expect(Self.isNone(cache.answer(of: SQL("quick"))))
    #expect(Self.isNone(cache.answer(of: SQL("larger than an eighth"))))
    for number in 0..<10 {
      cache.keep(Self.rows(1), of: SQL("\(number)"), changes: 0, seconds: 1)
      _ = cache.answer(of: SQL("0"))
    }
    #expect(!Self.isNone(cache.answer(of: SQL("0"))))
    #expect(Self.isNone(cache.answer(of: SQL("1"))))
    #expect(!Self.isNone(cache.answer(of: SQL("9"))))
  }
}
