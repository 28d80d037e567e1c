package import FootfallCore
package import FootfallSystem
package import Foundation

/// The clocks of the world, read together.
package struct Clocks: Sendable {
  /// The wall clock: stamps events and survives a relaunch, and may jump.
  package var now: @Sendable () -> Date
  /// The clock that only goes forward, for measuring waits; it keeps running in sleep.
  package var monotonic: @Sendable () -> MonotonicTime
  /// The clock that only goes forward and stands still in sleep.
  package var awake: @Sendable () -> MonotonicTime

  /// Clocks from their readings.
  package init(
    now: @escaping @Sendable () -> Date,
    monotonic: @escaping @Sendable () -> MonotonicTime,
    awake: @escaping @Sendable () -> MonotonicTime
  ) {
    self.now = now
    self.monotonic = monotonic
    self.awake = awake
  }

  /// The machine's own.
  package static let system = Clocks(
    now: { Date() },
    monotonic: { .now() },
    awake: { .awake() }
  )

  /// This instant on all of them.
  package var moment: Moment {
    Moment(
      wallMilliseconds: Int64(clamping: now().timeIntervalSince1970 * 1_000),
      steadyMilliseconds: Int64(monotonic().nanoseconds / 1_000_000),
      awakeMilliseconds: Int64(awake().nanoseconds / 1_000_000)
    )
  }
}

extension Int64 {
  /// The nearest whole number within bounds; 0 for what is no number.
  package init(clamping value: Double) {
    guard value.isFinite else {
      self = value > 0 ? .max : (value < 0 ? .min : 0)
      return
    }
    self = value >= 9.2e18 ? .max : (value <= -9.2e18 ? .min : Int64(value))
  }
}
