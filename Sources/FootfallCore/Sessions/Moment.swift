/// One instant, read from every clock that matters at the same time.
///
/// Wall time stamps events and survives a relaunch; the other two measure waits, since nobody can
/// set them. Their zero is arbitrary and means nothing in another process.
package struct Moment: Sendable, Equatable {
  /// Milliseconds since 1970 by the device's clock, which the user or the network may set.
  package var wallMilliseconds: Int64
  /// Milliseconds on a clock that only goes forward and keeps running while the machine sleeps.
  package var steadyMilliseconds: Int64
  /// Milliseconds on a clock that only goes forward and stands still while the machine sleeps.
  package var awakeMilliseconds: Int64

  /// An instant from its readings.
  package init(wallMilliseconds: Int64, steadyMilliseconds: Int64, awakeMilliseconds: Int64) {
    self.wallMilliseconds = wallMilliseconds
    self.steadyMilliseconds = steadyMilliseconds
    self.awakeMilliseconds = awakeMilliseconds
  }
}
