import EventRecord
import EventStore
import Testing

@testable import DuckDBStore

@Suite struct `Key set` {
  @Test func `holds exactly what was inserted, the key of zeros included`() {
    var random = RandomEvents(seed: 7)
    let keys = KeySet()
    var model: Set<EventKey> = []
    for round in 0..<20_000 {
      // Few different halves, so that keys share them.
      let key = EventKey(
        high: random.next() % 40,
        low: round.isMultiple(of: 2) ? random.next() % 400 : random.next()
      )
      #expect(keys.contains(key) == model.contains(key))
      #expect(keys.insert(key) == model.insert(key).inserted)
    }
    #expect(
      keys.insert(EventKey(high: 0, low: 0)) == model.insert(EventKey(high: 0, low: 0)).inserted
    )
    #expect(keys.count == model.count)
    #expect(model.allSatisfy(keys.contains))
  }
}

@Suite struct `Key plan` {
  @Test(
    arguments: [
      ("0190c9a0-0000-7abc-8def-0123456789ab", 0x0190_c9a0_0000),
      ("0190C9A0-00FF-7ABC-8DEF-0123456789AB", 0x0190_c9a0_00ff),
      ("0190c9a0-0000-4abc-8def-0123456789ab", nil),
      ("0190c9a0x0000-7abc-8def-0123456789ab", nil),
      ("0190c9g0-0000-7abc-8def-0123456789ab", nil),
      ("0190c9a0-0000-7abc-8def-0123456789a", nil),
      ("", nil),
    ] as [(String, Int64?)]
  )
  func `reads the time of a UUIDv7`(text: String, ms: Int64?) {
    #expect(Array(text.utf8).withUnsafeBytes { UUIDv7.milliseconds($0) } == ms)
  }

  @Test func `scattered sets are read by few statements that cover them all`() {
    let numbers = (0..<5_000).map { Int64($0 * $0) }
    let runs = KeyIndex.runs(numbers, maxGap: 60)
    #expect(runs.count <= 32)
    #expect(numbers.allSatisfy { number in runs.contains { $0.contains(number) } })
    #expect(KeyIndex.runs([1, 2, 70, 200], maxGap: 60) == [1...2, 70...70, 200...200])
  }

  @Test func `a week's repeats are looked up by one question, to the millisecond`() throws {
    let stored = (0..<1_000).map { (key: EventKey(high: 1, low: $0), ownMs: Int64($0)) }
    let index = KeyIndex(loose: KeySet(), storedTimes: [KeyPlan.windowedNumber: 0...999])
    let plan = KeyPlan.windowed(day: 7)
    try index.prepare([plan]) { _, _, each in for event in stored { each(event.key, event.ownMs) } }
    var questions = 0
    try index.prepareEdges(stored.map { (key: $0.key, plan: plan) }) { keys, times, each in
      questions += 1
      #expect(keys.count == 1_000 && times.contains(0...999))
      for event in stored { each(event.key, event.ownMs) }
    }
    #expect(questions == 1)
    for (key, ownMs) in stored {
      let later = ownMs + DuplicateRule.sevenDaysMs
      #expect(!index.insert(key, plan: plan, ownMs: later - 1))
      #expect(index.insert(key, plan: plan, ownMs: later))
    }
  }
}

@Suite struct `UTF-8 check` {
  @Test func `agrees with the standard library on random and near-miss bytes`() {
    var random = RandomEvents(seed: 11)
    let pieces: [[UInt8]] = [
      [0x41], [0xC3, 0xA4], [0xE2, 0x82, 0xAC], [0xF0, 0x9F, 0x98, 0x80], [0xC0, 0x80],
      [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE0, 0x80, 0x80], [0xF0, 0x80, 0x80, 0x80],
      [0xE2, 0x82], [0x80], [0xFF], Array("plain text".utf8),
    ]
    for _ in 0..<20_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        let piece = pieces.randomElement(using: &random) ?? []
        let isValidMostly = Int.random(in: 0..<3, using: &random) > 0
        bytes += isValidMostly && String(validating: piece, as: UTF8.self) == nil ? [0x41] : piece
      }
      let isValid = bytes.withUnsafeBytes { UTF8Check.isValid($0) }
      #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }
}
