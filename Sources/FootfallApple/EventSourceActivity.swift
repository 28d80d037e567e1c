#if os(macOS)
import CoreGraphics
import FootfallPlatform

/// How long ago keyboard or mouse were used, anywhere on a Mac.
///
/// Asks for a time only, which needs no permission, and looks at no event.
package struct EventSourceActivity: UserActivitySource {
  /// Makes a source.
  package init() {}

  /// Milliseconds since the last input of any kind; see `UserActivitySource`.
  package func millisecondsSinceInput() -> Int64? {
    // `kCGAnyInputEventType` is all ones and has no name in Swift.
    guard let anyInput = CGEventType(rawValue: ~0) else { return nil }
    let seconds = CGEventSource.secondsSinceLastEventType(.hidSystemState, eventType: anyInput)
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return nil }
    return Int64(seconds * 1_000)
  }
}
#endif
