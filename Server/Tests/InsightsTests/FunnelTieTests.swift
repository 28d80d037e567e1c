import EventRecord
import EventStore
import Insights
import Testing

/// Events of one person that nothing but their keys tells the order of.
@Suite struct `Events of one moment and one number` {
  private typealias Answers = `A question's answer`

  @Test(arguments: [Funnel.Order.ordered, .strict], [nil, Field.property("shop")])
  func `lead through a funnel in the order of their keys`(
    order: Funnel.Order,
    holding: Field?
  ) throws {
    // By their keys, from the last one of the list on, three of four people have the first step first.
    let lines = ["b", "a", "a", "b", "b", "a", "b", "a"].enumerated()
    var events = Answers.events(lines.map { ("person \($0 / 2)", $1, 5) })
    for index in events.indices {
      events[index].key = EventKey(high: 0, low: UInt64(100 - index))
      events[index].sequence = 4
      events[index].properties = #"{"shop":"here"}"#
    }
    let funnel = Funnel(
      Scope(project: 1, fromMs: Answers.start, toMs: Answers.start + Answers.day),
      steps: [FunnelStep("a"), FunnelStep("b")],
      order: order,
      holding: holding
    )
    #expect(try Answers.answer(funnel, events).levels.map(\.count) == [4, 3])
  }
}
