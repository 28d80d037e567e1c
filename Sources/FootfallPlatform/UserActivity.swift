/// Tells how long ago the user last touched keyboard or mouse, anywhere on the machine.
///
/// Real form: `EventSourceActivity` of `FootfallApple`, on macOS. An app on Linux may supply its own.
package protocol UserActivitySource: Sendable {
  /// Milliseconds since the last input of any kind, 0 or more; nil where the system does not say.
  ///
  /// Any thread, a few microseconds: made to be asked when an event is tracked.
  func millisecondsSinceInput() -> Int64?
}

/// No word about input.
package struct UnknownActivity: UserActivitySource {
  /// Makes a source that knows nothing.
  package init() {}

  /// Always nil.
  package func millisecondsSinceInput() -> Int64? { nil }
}
