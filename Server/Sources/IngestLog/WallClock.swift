#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The wall clock.
public enum WallClock {
  /// Milliseconds since 1970 (UTC).
  @Sendable public static func milliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}
