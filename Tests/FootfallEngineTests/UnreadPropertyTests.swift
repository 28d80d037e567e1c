import FootfallCore
import FootfallPlatform
import Testing

@testable import FootfallEngine

/// Properties that a face leaves for the engine's thread to read.
@Suite struct `Properties that are read later` {
  private struct Given: UnreadProperties {
    let result: ReadProperties
    func read() -> ReadProperties { result }
  }

  @Test func `are there before a plugin sees the event, and those of the call go over them`() {
    let subject = PipelineSubject().launch(at: 1_000)
    let plugin = RecordingPlugin("p", .before)
    var seen: [Properties] = []
    plugin.change = { event in
      seen.append(event.properties)
      return event
    }
    subject.take(.addPlugin(plugin), at: 1_000)
    let given = Given(result: ReadProperties(["a": 1, "b": 2]))
    subject.track("e", ["b": 3], unread: given, at: 2_000)
    subject.track("f", unread: given, at: 2_000)
    #expect(seen == [["a": 1, "b": 3], ["a": 1, "b": 2]])
    #expect(subject.events.suffix(2).map(\.properties) == seen)
  }

  @Test func `cost what cannot be held, by name`() {
    let subject = PipelineSubject().launch(at: 1_000)
    let given = Given(result: ReadProperties(["a": 1], unsupported: ["x", "y"]))
    subject.track("e", unread: given, at: 2_000)
    #expect(subject.events.last?.properties == ["a": 1])
    #expect(subject.losses.byReason == [.propertyNotSupported: 2])
    #expect(subject.lines.map(\.level) == [.warning])
    #expect(subject.lines.allSatisfy { $0.message.hasSuffix("left out: x, y.") })
  }

  @Test func `may refuse the event, which then begins no session and takes no number`() {
    let subject = PipelineSubject(.amplitude()).launch(at: 500, in: .background)
    let bad = Given(result: ReadProperties(["a": 1], refusal: "“x” is of no use"))
    subject.track("bad", unread: bad, at: 1_000)
    #expect(subject.events.isEmpty && subject.pipeline.sessionID == nil)
    #expect(subject.losses.byReason == [.invalid: 1])
    #expect(subject.dropped.map(\.name) == ["bad"])
    #expect(subject.lines.map(\.message) == ["An event was dropped: “x” is of no use."])
    subject.track("good", at: 2_000)
    #expect(subject.events.map(\.sequence) == [1, 2])
  }

  @Test func `are not read while collection is off`() {
    let subject = PipelineSubject().launch(at: 1_000)
    subject.take(.collecting(false), at: 1_500)
    let bad = Given(result: ReadProperties([:], refusal: "“x” is of no use"))
    subject.track("bad", unread: bad, at: 2_000)
    #expect(subject.losses.byReason == [.optedOut: 1] && subject.lines.isEmpty)
  }
}
