import Insights
import Testing

@Suite struct `A formula` {
  @Test(
    arguments: [
      ("A", [7], 7), ("a + b", [1, 2], 3), ("A / B * 100", [1, 4], 25),
      ("A - B - C", [9, 3, 2], 4),
      ("A / B / C", [24, 3, 2], 4), ("2 * (A + B)", [1, 2], 6), ("-A + -2", [3], -5),
      ("A + B * C", [1, 2, 3], 7), ("--A", [3], 3), ("(A)", [1], 1),
      ("J * .5", [0, 0, 0, 0, 0, 0, 0, 0, 0, 8], 4),
    ] as [(String, [Double?], Double)]
  )
  func `is calculated as it is written`(text: String, series: [Double?], value: Double) throws {
    #expect(try Formula(text).value(series) == value)
  }

  @Test(
    arguments: [
      ("A / B", [1, 0]), ("A / (B - B)", [1, 5]), ("A + B", [1, nil]), ("A / B", [0, 0]),
      ("B", [1]),
      ("A * A * A * A", [1e200]),
    ] as [(String, [Double?])]
  )
  func `has no value where there is none`(text: String, series: [Double?]) throws {
    #expect(try Formula(text).value(series) == nil)
  }

  @Test(arguments: [
    ("", "ends where"), ("A +", "ends where"), ("(A", "not closed"), ("A)", "“)” at place 2"),
    ("A B", "“B” at place 3"), ("A % B", "“%” at place 3"), ("K", "“K” at place 1"),
    ("1 + 2", "names a series"),
    ("A + 1.2.3", "“1.2.3” is no number"), ("A ÷ B", "“÷” at place 3"), ("*A", "“*” at place 1"),
    (String(repeating: "(", count: 60) + "A", "50 parentheses deep"),
    (String(repeating: "A+", count: 300) + "A", "500 characters"),
  ])
  func `that cannot be read says why`(text: String, part: String) {
    let problem = #expect(throws: Formula.Problem.self) { try Formula(text) }
    #expect(problem?.description.contains(part) == true, "\(problem?.description ?? "none")")
  }

  @Test func `needs as many series as its last letter says`() throws {
    #expect(try Formula("C / A").seriesCount == 3)
    #expect((0..<10).map(Formula.letter).joined() == "ABCDEFGHIJ")
  }
}
