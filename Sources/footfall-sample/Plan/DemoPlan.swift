import FootfallCore

/// Everything the demo's people have done in the time before the demo began.
///
/// A pure value: the same settings give the same people, visits and event ids on every machine.
struct DemoPlan: Sendable {
  /// What a plan is made from.
  struct Settings: Sendable, Hashable, Codable {
    var seed: UInt64 = 1
    var people = 200
    var days = 90
    /// The end of the history in milliseconds since 1970.
    var anchorMs: Int64
  }

  /// The longest history, in days: the SDK refuses events that are 3,650 days old.
  static let maxDays = 3_649

  let settings: Settings
  let period: Period
  let histories: [PersonHistory]

  /// Makes the plan; about a third of a second for 200 people in a debug build.
  init(_ settings: Settings) {
    self.settings = settings
    let period = Period(days: min(settings.days, Self.maxDays), endMs: settings.anchorMs)
    self.period = period
    histories = (0..<settings.people).map { index in
      PersonHistory(number: index + 1, seed: settings.seed, period: period)
    }
  }

  /// What happened on each device, in the order of people and devices.
  var devices: [DeviceHistory] {
    histories.flatMap { history in
      history.person.devices.indices.compactMap { DeviceHistory(history, $0, period) }
    }
  }
}

/// What one device has sent in the time of the history, cut where the app was updated.
struct DeviceHistory: Sendable {
  /// The time one version of the app ran on the device.
  struct Chapter: Sendable {
    let release: AppRelease
    let actions: [PlannedAction]
  }

  let person: Person
  let device: Device
  let chapters: [Chapter]

  /// A person's history on one of the devices, or nil if it was never used.
  init?(_ history: PersonHistory, _ index: Int, _ period: Period) {
    person = history.person
    device = history.person.devices[index]
    var chapters: [Chapter] = []
    for visit in history.visits where visit.device == index {
      guard let first = visit.actions.first else { continue }
      let release = device.release(atMs: first.atMs, period: period)
      if let last = chapters.last, last.release == release {
        chapters[chapters.count - 1] = Chapter(
          release: release,
          actions: last.actions + visit.actions
        )
      } else {
        chapters.append(Chapter(release: release, actions: visit.actions))
      }
    }
    guard !chapters.isEmpty else { return nil }
    self.chapters = chapters
  }

  /// How many events the device sends; sign-ins are none.
  var eventCount: Int {
    chapters.reduce(0) { $0 + $1.actions.count { $0.isEvent } }
  }
}

extension PlannedAction {
  /// Whether the action is an event of its own.
  var isEvent: Bool {
    switch kind {
    case .track, .screen, .revenue, .identify, .join, .identifyTeam: true
    case .signIn, .signOut: false
    }
  }
}
