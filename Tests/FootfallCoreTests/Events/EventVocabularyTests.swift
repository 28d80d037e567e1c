import FootfallCore
import Testing

@Suite struct `Event vocabulary` {
  @Test func `a screen view names its screen unless the caller does`() {
    let names = EventVocabulary.footfall
    #expect(
      names.screenView("Settings", ["tab": 2])
        == EventContent("screen_view", ["screen": "Settings", "tab": 2])
    )
    #expect(
      names.screenView("Settings", ["screen": "Own"])
        == EventContent("screen_view", ["screen": "Own"])
    )
    #expect(
      EventVocabulary.amplitude.screenView("Settings")
        == EventContent("[Amplitude] Screen Viewed", ["[Amplitude] Screen Name": "Settings"])
    )
  }

  @Test func `a deep link has a referrer only if there is one`() {
    let names = EventVocabulary.amplitude
    #expect(
      names.deepLinkOpened(
        url: "https://www.example.com/products/42",
        referrer: "https://www.google.com"
      )
        == EventContent(
          "[Amplitude] Deep Link Opened",
          [
            "[Amplitude] Link URL": "https://www.example.com/products/42",
            "[Amplitude] Link Referrer": "https://www.google.com",
          ]
        )
    )
    #expect(names.deepLinkOpened(url: nil).properties == ["[Amplitude] Link URL": ""])
  }

  @Test func `what a session does is told in the protocol's words`() throws {
    let open = OpenSession(id: .number(1_000), startMilliseconds: 1_000)
    let ended = EndedSession(
      id: .number(1_000),
      startMilliseconds: 1_000,
      endMilliseconds: 4_999,
      eventMilliseconds: 4_999
    )
    let end = try #require(EventVocabulary.footfall.sessionEvent(.ended(ended)))
    #expect(end.content == EventContent("session_end", ["duration_s": 3]))
    #expect(end.milliseconds == 4_999)
    let plain = try #require(EventVocabulary.amplitude.sessionEvent(.ended(ended)))
    #expect(plain.content == EventContent("session_end"))
    let pause = SessionCore.Effect.paused(open, atMilliseconds: 5)
    #expect(EventVocabulary.pinpoint.sessionEvent(pause)?.content.name == "_session.pause")
    #expect(EventVocabulary.footfall.sessionEvent(pause) == nil)
    #expect(EventVocabulary.pinpoint.sessionEvent(.started(open))?.session == .number(1_000))
    #expect(EventVocabulary.pinpoint.sessionEvent(.persist) == nil)
  }
}
