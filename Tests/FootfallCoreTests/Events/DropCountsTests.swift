import FootfallCore
import Testing

@Suite struct `Drop counts` {
  @Test func `what was reported is taken away, what came later stays`() {
    var counts = DropCounts()
    counts.count(.tooLarge, 2)
    counts.count(.textCut)
    let reported = counts
    counts.count(.tooLarge)
    counts.count(.inboxFull, 0)
    #expect(counts.events == 3)
    counts.subtract(reported)
    #expect(counts.byReason == [.tooLarge: 1])
    counts.subtract(reported)
    #expect(counts.isEmpty)
  }
}
