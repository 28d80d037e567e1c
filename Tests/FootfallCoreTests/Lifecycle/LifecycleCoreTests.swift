import FootfallCore
import Testing

@Suite struct `What becomes of the app` {
  static let old = AppVersion(version: "1.0", build: "1")
  static let new = AppVersion(version: "1.1", build: "2")

  /// What is told of a launch that is followed by the app coming to the front.
  private func opening(
    _ presence: Presence = .active,
    before: AppVersion?,
    isFirst: Bool = false
  ) -> [LifecycleCore.Effect] {
    var core = LifecycleCore(version: before)
    let first = core.receive(.launch(Self.new, isFirst: isFirst, presence))
    #expect(core.version == Self.new)
    return first + core.receive(.presence(.active))
  }

  static let launches: [(AppVersion?, Bool, [LifecycleCore.Effect])] = [
    (nil, true, [.installed(new)]), (new, false, []), (old, false, [.updated(new, from: old)]),
    // Removed and installed again, with files left behind.
    (old, true, [.installed(new)]),
    // Nobody knows what ran before.
    (nil, false, []),
    (
      AppVersion(version: "1.1", build: "1"), false,
      [
        .updated(new, from: AppVersion(version: "1.1", build: "1"))
      ]
    ),
  ]

  @Test(arguments: launches, Presence.allCases)
  func `an install or update is told once, before the opening, when the app is in front`(
    launch: (before: AppVersion?, isFirst: Bool, news: [LifecycleCore.Effect]),
    presence: Presence
  ) {
    let told = opening(presence, before: launch.before, isFirst: launch.isFirst)
    #expect(told == launch.news + [.opened(Self.new, fromBackground: false)])
  }

  @Test func `leaving and returning are told once each, and a call over the app is neither`() {
    var core = LifecycleCore()
    _ = core.receive(.launch(Self.new, isFirst: true, .active))
    let history: [(Presence, [LifecycleCore.Effect])] = [
      (.active, []), (.inactive, []), (.active, []), (.inactive, []),
      (.background, [.backgrounded]),
      (.background, []), (.inactive, []), (.active, [.opened(Self.new, fromBackground: true)]),
      (.background, [.backgrounded]), (.active, [.opened(Self.new, fromBackground: true)]),
    ]
    for (presence, told) in history { #expect(core.receive(.presence(presence)) == told) }
  }

  @Test func `an app that was never in front was not left`() {
    var core = LifecycleCore()
    #expect(core.receive(.launch(Self.new, isFirst: false, .background)).isEmpty)
    #expect(core.receive(.presence(.background)).isEmpty)
    #expect(core.receive(.presence(.inactive)).isEmpty)
    #expect(core.receive(.presence(.background)).isEmpty)
  }

  @Test func `the events say which version it is, as far as that is known`() {
    let names = EventVocabulary.amplitude
    #expect(
      names.lifecycleEvent(.updated(Self.new, from: Self.old))
        == EventContent(
          "[Amplitude] Application Updated",
          [
            "[Amplitude] Version": "1.1", "[Amplitude] Build": "2",
            "[Amplitude] Previous Version": "1.0", "[Amplitude] Previous Build": "1",
          ]
        )
    )
    #expect(
      EventVocabulary.footfall.lifecycleEvent(.opened(AppVersion(), fromBackground: true))
        == EventContent("app_opened", ["from_background": true])
    )
    #expect(names.lifecycleEvent(.backgrounded).properties.isEmpty)
  }
}
