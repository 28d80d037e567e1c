import EventRecord
import EventStore
import Foundation
import Testing

@testable import Insights

@Suite struct `A crash's signature` {
  private static let stack = """
    0   CoreFoundation   0x00007ff81a2b3c4d __exceptionPreprocess + 242
    1   libobjc.A.dylib  0x00007ff81a2b3c4d objc_exception_throw + 48
    2   MyApp            0x0000000104a1b2c3 Cart.total() + 12
    3   MyApp            0x0000000104a1b2c4 main + 12
    """

  @Test func `is the exception with the first frame of the app's own`() {
    let signature = CrashSignature(exception: "NSRangeException", stack: Self.stack)
    #expect(signature.exception == "NSRangeException")
    #expect(signature.frame == "MyApp Cart.total()")
    #expect(signature.id.count == 16)
  }

  @Test func `does not change with addresses, offsets, frame numbers and lines`() {
    let other = Self.stack.replacing("0x0000000104a1b2c3", with: "0x2").replacing(
      "+ 12",
      with: "+ 99"
    )
    #expect(
      CrashSignature(exception: "A", stack: Self.stack)
        == CrashSignature(exception: "A", stack: other)
    )
    let swift = { (line: Int) in
      CrashSignature(
        exception: "A",
        stack: "4   MyApp  0x104 closure #1 in Foo.bar() (Foo.swift:\(line))"
      )
    }
    #expect(swift(42) == swift(7))
    #expect(swift(42).frame == "MyApp closure #1 in Foo.bar() (Foo.swift)")
    #expect(
      CrashSignature(exception: "B", stack: Self.stack).id
        != CrashSignature(exception: "A", stack: Self.stack).id
    )
  }

  @Test(arguments: [
    ("", ""), ("\n\n", ""),
    ("0 CoreFoundation 0x1 a + 1\n1 UIKitCore 0x2 b + 2", "CoreFoundation a"),
    ("MyApp", "MyApp"), ("0 MyApp 0x1 0x2 + 34", "MyApp + 34"),
    ("3 libsystem_c.dylib 0x1 abort + 1\n4 Lib 0x2 f(x:) + 3", "Lib f(x:)"),
  ])
  func `of a stack like this is that`(stack: String, frame: String) {
    #expect(CrashSignature(exception: "", stack: stack).frame == frame)
  }

  @Test func `has an id that stays the same for ever`() {
    // Decisions are kept under it.
    #expect(CrashSignature(exception: "", stack: "").id == "af63bd4c8601b7df")
  }
}

@Suite struct `How a crash stands` {
  private static func group(_ versions: [(String, Int64)]) -> Crashes.Group {
    Crashes.Group(
      signature: CrashSignature(exception: "A", stack: ""),
      count: versions.count,
      people: 1,
      versions: versions.map { Crashes.Version(version: $0.0, count: 1, lastMs: $0.1) },
      firstMs: 0,
      lastMs: versions.map(\.1).max() ?? 0,
      times: [:]
    )
  }

  @Test(
    arguments: [
      // Named version: from it on it came back, old ones do not count.
      ("4.3", "4.2", [("4.2", 200)], .resolved),
      ("4.3", "4.2", [("4.3", 200)], .cameBack(version: "4.3")),
      ("4.3", "4.2", [("4.10", 200)], .cameBack(version: "4.10")),
      ("4.3", "4.2", [("4.3", 99)], .resolved), ("4.3", "4.2", [("4.3.0-beta", 200)], .resolved),
      // None named: newer than all before.
      ("", "4.2", [("4.2", 200), ("4.1", 300)], .resolved),
      ("", "4.2", [("4.2.1", 200)], .cameBack(version: "4.2.1")),
      ("", "4.2", [("4.2.0", 200)], .resolved),
      ("", "", [("", 200)], .cameBack(version: "")), ("", "", [("", 100)], .resolved),
    ] as [(String, String, [(String, Int64)], CrashStanding)]
  )
  func `after it was resolved`(
    mended: String,
    seen: String,
    versions: [(String, Int64)],
    standing: CrashStanding
  ) {
    let decision = CrashStanding.Decision.resolved(atMs: 100, mended: mended, seen: seen)
    #expect(CrashStanding(decision, of: Self.group(versions)) == standing)
  }

  @Test func `open until decided, and hidden whatever comes`() {
    let group = Self.group([("9", 1_000)])
    #expect(CrashStanding(nil, of: group) == .open && CrashStanding.open.needsWork)
    #expect(CrashStanding(.hidden, of: group) == .hidden && !CrashStanding.hidden.needsWork)
    #expect(group.newestVersion == "9")
  }

  @Test(arguments: [
    ("4.9", "4.10"), ("4.2", "4.2.1"), ("5.0-beta", "5.0"), ("5.0-beta.2", "5.0-beta.10"),
    ("", "1"),
    ("1.2 (7)", "1.2 (8)"), ("a", "b"),
  ])
  func `by versions in their order`(older: String, newer: String) {
    #expect(AppVersion(older) < AppVersion(newer))
    #expect(!(AppVersion(newer) < AppVersion(older)))
    #expect(AppVersion("4.2") >= AppVersion("4.2.0") && AppVersion("4.2.0") >= AppVersion("4.2"))
  }
}

@Suite struct `Crashes in SQL` {
  private static let stacks = [
    #""stack":"0 MyApp 0x1 f + 1\n1 MyApp 0x2 g + 2","#, #""stack":"0 MyApp 0xffA f + 7","#,
    #""stack":"0 UIKit 0x1 x + 1","#, #""stack":5,"#, "",
  ]

  private static func events(_ random: inout RandomHistory, _ count: Int) -> [StoredEvent] {
    var events = random.events(count)
    for index in events.indices where index % 3 == 0 {
      events[index].name = CrashSignature.eventName
      let name = random.pick([
        #""exception_name":"A","#, #""exception_name":"B","#, #""exception_name":1,"#, "",
      ])
      events[index].properties = "{\(name)\(random.pick(stacks))\"n\":1}"
    }
    return events
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `mean what their definitions say`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    let events = Self.events(&random, seed == 1 ? 0 : 700)
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for _ in 0..<12 {
      let scope = random.scope()
      let zone =
        TimeZone(identifier: random.pick(["UTC", "Asia/Kathmandu", "America/New_York"])) ?? .gmt
      // Crashes are counted by quarters of an hour: a scope begins and ends with one.
      let quarter: Int64 = 900_000
      let whole = scope.over(
        fromMs: scope.fromMs / quarter * quarter,
        toMs: scope.toMs / quarter * quarter
      )
      let crashes = Crashes(whole, axis: TimeAxis(random.pick([.day, .week]), timeZone: zone))
      #expect(try crashes.run(on: duck.store) == crashes.run(on: model), "seed \(seed) \(scope)")
      let free = CrashFree(scope)
      #expect(try free.run(on: duck.store) == free.run(on: model), "seed \(seed) \(scope)")
      let latest = CrashEvents(scope)
      #expect(
        try latest.run(on: duck.store).map(\.key) == latest.run(on: model).map(\.key),
        "seed \(seed) \(scope)"
      )
    }
    for event in events.prefix(20) {
      let before = EventsBefore(event)
      #expect(try before.run(on: duck.store).map(\.key) == before.run(on: model).map(\.key))
    }
    for zone in ["UTC", "Asia/Kathmandu"] {
      let arrival = Arrival(
        project: 1,
        fromMs: RandomHistory.start,
        toMs: RandomHistory.start + 86_400_000,
        axis: TimeAxis(.hour, timeZone: TimeZone(identifier: zone) ?? .gmt),
        lateMs: 3_600_000
      )
      #expect(try arrival.run(on: duck.store) == arrival.run(on: model), "seed \(seed)")
    }
  }

  @Test func `are told as a question, with shares that are free of them`() throws {
    let now: Int64 = 1_796_117_400_000
    func event(
      _ number: UInt64,
      _ name: String,
      _ device: String,
      _ properties: String = ""
    ) -> StoredEvent {
      StoredEvent(
        key: EventKey(high: 1, low: number),
        project: 1,
        name: name,
        timestampMs: now - 60_000 * Int64(number),
        deviceID: device,
        sessionID: "s-\(device)",
        properties: properties,
        client: #"{"app":"4.2"}"#
      )
    }
    let store = InMemoryEventStore([
      event(1, "app_crashed", "a", #"{"exception_name":"Boom","stack":"0 MyApp 0x1 f + 1"}"#),
      event(2, "app_crashed", "a", #"{"exception_name":"Boom","stack":"0 MyApp 0x9 f + 2"}"#),
      event(3, "Tap", "a"), event(4, "Tap", "b"), event(5, "Tap", "c"), event(6, "Tap", "d"),
    ])
    let setting = QuestionForm.Setting(project: 1, timeZone: .gmt, nowMs: now)
    let report = try QuestionKind.crashes.report(QuestionForm(["range": "7d"], setting), on: store)
    let figures = Dictionary(uniqueKeysWithValues: report.figures.map { ($0.title, $0.value) })
    #expect(figures["Crashes"] == 2 && figures["People affected"] == 1)
    #expect(figures["Crash-free people"] == 0.75 && figures["Crash-free sessions"] == 0.75)
    #expect(
      report.tables[1].rows == [
        [.text("Boom"), .text("MyApp f"), .count(2), .count(1), .text("4.2")]
      ]
    )
  }
}

@Suite struct `What an alert looks at` {
  private static func report(
    _ values: [Double?],
    isOpen: Bool,
    kind: Report.Chart.Kind = .lines
  ) -> Report {
    var report = Report(title: "", definition: "", fromMs: 0, toMs: 0, interval: .day)
    report.chart = Report.Chart(
      kind,
      places: values.indices.map { .time(Int64($0)) },
      unit: .count,
      lines: [
        Report.Line("before", values.map { _ in 99 }, isPrevious: true), Report.Line("a", values),
      ],
      isLastOpen: isOpen
    )
    return report
  }

  @Test func `is the last bucket that is over, and the one before`() throws {
    let open = try #require(AlertMeasure(Self.report([1, 2, 3], isOpen: true)))
    #expect(open.value == 2 && open.before == 1 && open.bucketMs == 1)
    let over = try #require(AlertMeasure(Self.report([1, 2, 3], isOpen: false)))
    #expect(over.value == 3 && over.before == 2 && over.bucketMs == 2)
    let first = try #require(AlertMeasure(Self.report([1, 2], isOpen: true)))
    #expect(first.value == 1 && first.before == nil)
    #expect(try #require(AlertMeasure(Self.report([nil, 2, 0], isOpen: true))).before == nil)
  }

  @Test func `is nothing where no bucket is over or has a number`() {
    #expect(AlertMeasure(Self.report([1], isOpen: true)) == nil)
    #expect(AlertMeasure(Self.report([], isOpen: false)) == nil)
    #expect(AlertMeasure(Self.report([1, nil], isOpen: false)) == nil)
    #expect(
      AlertMeasure(Report(title: "", definition: "", fromMs: 0, toMs: 0, interval: .day)) == nil
    )
  }
}

@Suite struct `Messages of campaigns` {
  private static func events(
    _ counts: [(name: String, treatment: String, count: Int)]
  ) -> [StoredEvent] {
    var events: [StoredEvent] = []
    for (name, treatment, count) in counts {
      for _ in 0..<count {
        events.append(
          StoredEvent(
            key: EventKey(high: 3, low: UInt64(events.count)),
            project: 1,
            name: name,
            timestampMs: 1_796_117_000_000,
            deviceID: "endpoint-\(events.count)",
            properties: #"{"campaign_id":"c1","treatment_id":"\#(treatment)"}"#
          )
        )
      }
    }
    return events
  }

  @Test func `AWS-D23: sent and opened are told by treatment, with their rates`() throws {
    let duck = try TestStore()
    try duck.load(
      Self.events([
        ("_campaign.send", "0", 6), ("_campaign.opened_notification", "0", 3),
        ("_campaign.send", "1", 4), ("_campaign.opened_notification", "1", 1), ("Tap", "0", 5),
      ])
    )
    let setting = QuestionForm.Setting(project: 1, timeZone: .gmt, nowMs: 1_796_117_400_000)
    let report = try QuestionKind.messages.report(
      QuestionForm(["range": "7d"], setting),
      on: duck.store
    )
    let figures = Dictionary(uniqueKeysWithValues: report.figures.map { ($0.title, $0.value) })
    #expect(figures["Messages sent"] == 10 && figures["Opened"] == 4)
    #expect(report.tables[0].rows.map { $0[5] } == [.number(0.5), .number(0.25)])
    #expect(report.tables[0].rows.map { $0[1] } == [.text("0"), .text("1")])
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `mean in SQL what their definition says`(seed: UInt64) throws {
    var random = RandomHistory(seed: seed)
    var events = random.events(500)
    for index in events.indices where index % 2 == 0 {
      events[index].name = random.pick(
        CampaignMessages.sent + CampaignMessages.received + CampaignMessages.opened
      )
      events[index].properties = random.pick([
        "", #"{"campaign_id":"a","treatment_id":"0"}"#, #"{"campaign_id":"b","treatment_id":1}"#,
        #"{"campaign_id":"a"}"#,
      ])
    }
    let duck = try TestStore()
    try duck.load(events)
    let model = InMemoryEventStore(events)
    for _ in 0..<15 {
      let messages = CampaignMessages(random.scope())
      #expect(try messages.run(on: duck.store) == messages.run(on: model), "seed \(seed)")
    }
  }
}
