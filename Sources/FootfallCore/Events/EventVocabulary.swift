/// What a protocol calls the events that it defines itself.
package struct EventVocabulary: Sendable, Equatable {
  /// A screen was shown, and the property that names it.
  package var screenView: EventName = "screen_view"
  /// The property of a screen view that names the screen.
  package var screen = "screen"
  /// The app was opened by a link.
  package var deepLinkOpened: EventName = "deep_link_opened"
  /// The property that holds the link.
  package var linkURL = "url"
  /// The property that holds where the link was followed.
  package var linkReferrer = "referrer"
  /// The client was started, if that is told and the rules give it no other name.
  package var appLaunched: EventName = "app_launched"
  /// The process before ended by a crash.
  package var appCrashed: EventName = "app_crashed"
  /// The app runs for the first time.
  package var appInstalled: EventName = "app_installed"
  /// The app runs for the first time in this version.
  package var appUpdated: EventName = "app_updated"
  /// The app was opened, or returned to.
  package var appOpened: EventName = "app_opened"
  /// The app was left.
  package var appBackgrounded: EventName = "app_backgrounded"
  /// The properties of these events that hold the app's version.
  package var version = AppProperty(now: "version", before: "previous_version")
  /// The properties of these events that hold the app's build.
  package var build = AppProperty(now: "build", before: "previous_build")
  /// The property of an opening that says whether the app was in the background before.
  package var fromBackground = "from_background"
  /// A session began.
  package var sessionStart: EventName = "session_start"
  /// A session is over.
  package var sessionEnd: EventName = "session_end"
  /// Whether the end of a session is an event.
  package var tellsSessionEnd = true
  /// A session was left, if that is an event.
  package var sessionPause: EventName?
  /// A session was returned to, if that is an event.
  package var sessionResume: EventName?
  /// The property of a session's end that holds its length in whole seconds, if there is one.
  package var sessionSeconds: String? = "duration_s"

  /// The names of a property of the app as it is and as it was before an update.
  package struct AppProperty: Sendable, Equatable {
    /// The name for what it is now.
    package var now: String
    /// The name for what it was before.
    package var before: String

    /// Both names.
    package init(now: String, before: String) {
      self.now = now
      self.before = before
    }
  }

  /// Footfall's own names, which are also those of SimpleDataLogs.
  package static let footfall = EventVocabulary()

  /// Those of Amplitude, from `amplitude.md` section 1.11.
  package static let amplitude: EventVocabulary = {
    var names = EventVocabulary()
    names.screenView = "[Amplitude] Screen Viewed"
    names.screen = "[Amplitude] Screen Name"
    names.deepLinkOpened = "[Amplitude] Deep Link Opened"
    names.linkURL = "[Amplitude] Link URL"
    names.linkReferrer = "[Amplitude] Link Referrer"
    names.appInstalled = "[Amplitude] Application Installed"
    names.appUpdated = "[Amplitude] Application Updated"
    names.appOpened = "[Amplitude] Application Opened"
    names.appBackgrounded = "[Amplitude] Application Backgrounded"
    names.version = AppProperty(now: "[Amplitude] Version", before: "[Amplitude] Previous Version")
    names.build = AppProperty(now: "[Amplitude] Build", before: "[Amplitude] Previous Build")
    names.fromBackground = "[Amplitude] From Background"
    names.sessionSeconds = nil
    return names
  }()

  /// Those of Phase, whose own items are no events: app events cannot have such names.
  package static let phase: EventVocabulary = {
    var names = EventVocabulary()
    names.screenView = "$screen_view"
    names.screen = "$screen"
    names.sessionStart = "$session_start"
    names.sessionEnd = "$session_end"
    names.tellsSessionEnd = false
    names.sessionSeconds = nil
    return names
  }()

  /// Those of Amazon Pinpoint, from `aws.md` section 3.5.
  package static let pinpoint: EventVocabulary = {
    var names = EventVocabulary()
    names.sessionStart = "_session.start"
    names.sessionEnd = "_session.stop"
    names.sessionPause = "_session.pause"
    names.sessionResume = "_session.resume"
    names.sessionSeconds = nil
    return names
  }()
}

extension EventVocabulary {
  /// The event of a screen that was shown; a property of the caller's own wins over the name.
  package func screenView(_ name: String, _ properties: Properties = [:]) -> EventContent {
    EventContent(screenView, ([screen: .string(name)] as Properties).merging(properties))
  }

  /// The event of a link that opened the app; one without a URL has an empty text.
  package func deepLinkOpened(url: String?, referrer: String? = nil) -> EventContent {
    var properties: Properties = [linkURL: .string(url ?? "")]
    if let referrer { properties[linkReferrer] = .string(referrer) }
    return EventContent(deepLinkOpened, properties)
  }

  /// An event about a session itself.
  package struct SessionEvent: Sendable, Equatable {
    /// Its name and properties.
    package var content: EventContent
    /// The session it is about.
    package var session: SessionID
    /// Its time, in milliseconds since 1970; nil if none is known.
    package var milliseconds: Int64?
    /// When that session began and ended.
    package var times: SessionTimes
  }

  /// The event that tells what a session did; nil for effects that are not told, or not by this
  /// vocabulary.
  package func sessionEvent(_ effect: SessionCore.Effect) -> SessionEvent? {
    switch effect {
    case .started(let session):
      return SessionEvent(
        content: EventContent(sessionStart),
        session: session.id,
        milliseconds: session.startMilliseconds,
        times: SessionTimes(startMilliseconds: session.startMilliseconds)
      )
    case .ended(let session):
      guard tellsSessionEnd else { return nil }
      var content = EventContent(sessionEnd)
      if let key = sessionSeconds { content.properties[key] = .integer(session.durationSeconds) }
      return SessionEvent(
        content: content,
        session: session.id,
        milliseconds: session.eventMilliseconds,
        times: session.times
      )
    case .paused(let session, let time):
      return sessionPause.map { SessionEvent($0, of: session, at: time) }
    case .resumed(let session, let time):
      return sessionResume.map { SessionEvent($0, of: session, at: time) }
    case .crashed, .current, .pass, .swallowedStart, .flush, .persist: return nil
    }
  }
}

extension EventVocabulary.SessionEvent {
  /// An event of a session that is not over.
  fileprivate init(_ name: EventName, of session: OpenSession, at milliseconds: Int64) {
    self.init(
      content: EventContent(name),
      session: session.id,
      milliseconds: milliseconds,
      times: SessionTimes(startMilliseconds: session.startMilliseconds)
    )
  }
}
