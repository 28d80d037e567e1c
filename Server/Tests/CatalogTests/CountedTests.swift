import Catalog
import Testing

@Suite struct `Numbers of things` {
  @Test(arguments: [
    (0, "0 events"), (1, "1 event"), (2, "2 events"), (999, "999 events"), (1_000, "1,000 events"),
    (36_549, "36,549 events"), (1_234_567, "1,234,567 events"), (-1_500, "-1,500 events"),
  ])
  func `one is one, and thousands are grouped`(count: Int, text: String) {
    #expect(Counted.text(count, "event") == text)
  }

  @Test(arguments: [(0, "0 people"), (1, "1 person"), (2, "2 people")])
  func `some have a plural of their own`(count: Int, text: String) {
    #expect(Counted.text(count, "person", "people") == text)
  }
}
