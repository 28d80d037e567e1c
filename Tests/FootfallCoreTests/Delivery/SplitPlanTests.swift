import FootfallCore
import Testing

@Suite struct `Splitting a batch` {
  @Test func `an odd batch splits into the larger half first`() {
    var plan = SplitPlan(events: 25)
    let didSplit = plan.split()
    #expect(didSplit)
    #expect(plan.parts == [Array(0..<13), Array(13..<25)])
  }

  @Test func `a single event cannot be split`() {
    var plan = SplitPlan(events: 1)
    let didSplit = plan.split()
    #expect(!didSplit)
    plan.settle()
    #expect(plan.current == nil)
  }

  @Test(arguments: 1...60)
  func `every event is sent exactly once, in order, in parts the server takes`(events: Int) {
    for largest in [1, 7, 10] {
      var plan = SplitPlan(events: events)
      var sent: [Int] = []
      while let part = plan.current {
        if part.count > largest {
          let didSplit = plan.split()
          #expect(didSplit)
        } else {
          sent += part
          plan.settle()
        }
      }
      #expect(sent == Array(0..<events))
    }
  }
}
