import FootfallCore
import Testing

@testable import FootfallEngine

@Suite struct `Presets of the pipeline` {
  @Test func `PHA 5.2: events wait for the first identify, in a session as old as the oldest`() {
    let subject = PipelineSubject(.phase).launch(at: 0, .init(key: "phase_k"))
    subject.track("too old", at: 1_000)
    for number in 0..<199 { subject.track(EventName("e\(number)"), at: 10_000 + Int64(number)) }
    subject.track("refused", at: 20_000)
    subject.track("refused", at: 20_001)
    #expect(subject.events.isEmpty)
    #expect(subject.losses.byReason == [.inboxFull: 2])
    #expect(subject.lines.count == 1)
    subject.track(.identify, at: 3_601_500, operations: IdentifyOperations())
    #expect(subject.losses.byReason == [.inboxFull: 2, .tooOld: 1])
    #expect(subject.events.prefix(3).map(\.name.text) == ["$identify", "$session_start", "e0"])
    #expect(subject.events.count == 201)
    #expect(subject.events[1].milliseconds == 10_000)
    #expect(subject.events[2].sessionID == subject.pipeline.sessionID)
    #expect(subject.events[2].milliseconds == 10_000)
    _ = subject.told()
    subject.track("now", at: 3_601_600)
    #expect(subject.events.map(\.name) == ["now"])
    subject.take(.session(.end), at: 3_601_650)
    subject.take(.identity(.reset), at: 3_601_700)
    _ = subject.told()
    subject.track("waits", at: 3_601_800)
    #expect(subject.events.isEmpty)
    subject.take(.collecting(false), at: 3_601_900)
    #expect(subject.losses[.optedOut] == 1)
  }

  @Test func `PHA 5.4: heartbeats come ever more rarely, stop while away, and end with a last one`()
  {
    let subject = PipelineSubject(.phase).launch(at: 0, .init(key: "phase_k"))
    subject.track(.identify, at: 0, operations: IdentifyOperations())
    _ = subject.told()
    #expect(subject.pipeline.deadlineMilliseconds == 77_005_000)
    subject.take(.timePassed, at: 5_000)
    subject.take(.timePassed, at: 5_001)
    subject.take(.delivered, at: 6_000)
    #expect(subject.pipeline.deadlineMilliseconds == 77_011_000)
    subject.take(.presence(.background), at: 7_000)
    #expect(subject.pipeline.deadlineMilliseconds == nil)
    subject.take(.presence(.active), at: 8_000)
    subject.take(.session(.end), at: 9_000)
    #expect(subject.events.map(\.name.text) == ["$heartbeat", "$heartbeat"])
    #expect(Set(subject.events.map(\.sessionID)).count == 1)
    #expect(subject.pipeline.deadlineMilliseconds == nil)
  }

  @Test func `AWS N3, N9: Pinpoint's session is named after app and device, and ends by a timer`() {
    let subject = PipelineSubject(.pinpoint(appID: "0123456789abcdef"))
    subject.launch(at: 1_000, .init(deviceID: "0000ABCDEF01"))
    #expect(subject.pipeline.sessionID == .text("89abcdef-ABCDEF01-19700101-000001000"))
    subject.take(.presence(.background), at: 2_000)
    #expect(subject.pipeline.deadlineMilliseconds == 77_007_000)
    subject.take(.timePassed, at: 7_000)
    #expect(subject.flushes == 1)
    #expect(
      subject.events.map(\.name.text) == ["_session.start", "_session.pause", "_session.stop"]
    )
  }
}
