import FootfallOutbox
import FootfallTesting
import Testing

@Suite struct `What earlier launches left` {
  let files = MemoryFiles()
  let limits = OutboxLimits(batchEvents: 10, launchEvents: 15, reserveBytes: 0)

  private func opened(with events: Int, sealing: Bool) throws -> Outbox {
    let first = try Subject.open(files, limits)
    try first.append(Subject.events(0..<events))
    if sealing { try first.seal(includingRest: true) }
    first.close()
    return try Subject.open(files, limits)
  }

  @Test func `the newest batches stay until they reach the cap`() throws {
    let outbox = try opened(with: 40, sealing: true)
    var told = 0
    #expect(try outbox.enforceLaunchCap { _ in told += 1 } == 20)
    #expect(told == 20)
    #expect(try Subject.numbers(outbox) == Array(20..<40))
  }

  @Test func `what is in no batch yet counts as the newest`() throws {
    let outbox = try opened(with: 40, sealing: false)
    #expect(try outbox.enforceLaunchCap() == 0)
    #expect(outbox.keptEvents == 40)
  }

  @Test func `events kept are shown, sealed or not, the oldest first`() throws {
    let outbox = try Subject.open(files, limits)
    try outbox.append(Subject.events(0..<13))
    try outbox.seal(includingRest: false)
    var shown: [[UInt8]] = []
    outbox.eachKept(atMost: 12) { shown.append(Array($0)) }
    #expect(shown == Subject.events(0..<12))
  }
}
