#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A moment on a clock that only runs forward and that nobody sets; for measuring waits.
///
/// It counts from an arbitrary start (usually the machine's), so it means nothing in another boot.
public struct MonotonicTime: Sendable, Hashable, Comparable {
  /// Nanoseconds since the clock's start.
  public let nanoseconds: UInt64

  /// The moment `nanoseconds` after the clock's start.
  public init(nanoseconds: UInt64) {
    self.nanoseconds = nanoseconds
  }

  /// The present moment, on a clock that keeps running while the machine sleeps.
  public static func now() -> Self {
    #if canImport(Darwin)
    // On Apple systems this is the continuous clock, unlike CLOCK_UPTIME_RAW.
    MonotonicTime(nanoseconds: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW))
    #else
    reading(CLOCK_BOOTTIME)
    #endif
  }

  /// The present moment on a clock that stands still while the machine sleeps; timed waits run by it.
  public static func awake() -> Self {
    #if canImport(Darwin)
    MonotonicTime(nanoseconds: clock_gettime_nsec_np(CLOCK_UPTIME_RAW))
    #else
    reading(CLOCK_MONOTONIC)
    #endif
  }

  #if !canImport(Darwin)
  private static func reading(_ clock: clockid_t) -> Self {
    var time = timespec()
    clock_gettime(clock, &time)
    return MonotonicTime(
      nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    )
  }
  #endif

  /// Whether `left` came before `right`.
  public static func < (left: Self, right: Self) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Seconds from `earlier` to this moment; negative if `earlier` came later.
  public func seconds(since earlier: Self) -> Double {
    nanoseconds >= earlier.nanoseconds
      ? Double(nanoseconds - earlier.nanoseconds) / 1e9
      : -Double(earlier.nanoseconds - nanoseconds) / 1e9
  }

  /// The moment `seconds` after this one, or before it if negative; never before the clock's start.
  public func advanced(bySeconds seconds: Double) -> Self {
    // Bounded well below 2^63 ns so that the conversion cannot trap.
    let step = UInt64(min(seconds.magnitude * 1e9, 9e18).rounded())
    if seconds < 0 {
      return MonotonicTime(nanoseconds: nanoseconds > step ? nanoseconds - step : 0)
    }
    let (sum, overflow) = nanoseconds.addingReportingOverflow(step)
    return MonotonicTime(nanoseconds: overflow ? .max : sum)
  }
}
