/// A version of the demo's app and when it came out.
struct AppRelease: Sendable, Hashable {
  let version: String
  let build: String
  /// Which part of the history had passed when it came out, from 0 to 1.
  let outAfter: Double

  static let all: [AppRelease] = [
    AppRelease(version: "2.0.0", build: "200", outAfter: 0),
    AppRelease(version: "2.1.0", build: "214", outAfter: 0.2),
    AppRelease(version: "2.2.0", build: "231", outAfter: 0.45),
    AppRelease(version: "2.2.1", build: "233", outAfter: 0.5),
    AppRelease(version: "2.3.0", build: "247", outAfter: 0.78),
  ]
}

/// One device of a person.
struct Device: Sendable, Hashable {
  /// One number per device of the whole plan; names its folder.
  let name: String
  let platform: String
  let os: String
  let model: String
  /// When the app was installed on it, in milliseconds since 1970.
  let installedMs: Int64
  /// How long after a release this device gets it, in milliseconds.
  let updateLagMs: Int64

  /// The version running at a moment: at first the newest, later each one after the device's lag.
  func release(atMs: Int64, period: Period) -> AppRelease {
    AppRelease.all.last { release in
      let outMs = period.startMs + Int64(release.outAfter * Double(period.lengthMs))
      return outMs <= installedMs || outMs + updateLagMs <= atMs
    } ?? AppRelease.all[0]
  }
}

/// The time a history covers, in milliseconds since 1970.
struct Period: Sendable, Hashable {
  static let dayMs: Int64 = 86_400_000

  let startMs: Int64
  let endMs: Int64

  /// So many days up to a moment.
  init(days: Int, endMs: Int64) {
    self.endMs = endMs
    startMs = endMs - Int64(days) * Self.dayMs
  }

  var lengthMs: Int64 { endMs - startMs }
  var days: Int { Int(lengthMs / Self.dayMs) }
}
