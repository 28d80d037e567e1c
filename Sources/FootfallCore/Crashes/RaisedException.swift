/// An exception that nobody caught, as the system tells of it when the process is about to end.
package struct RaisedException: Sendable, Equatable {
  /// Its kind, such as `NSRangeException`.
  package var name: String
  /// What it says; nil if it says nothing.
  package var reason: String?
  /// The calls that led to it, the innermost first, as the system writes them.
  package var frames: [String]

  /// An exception from its parts.
  package init(name: String, reason: String? = nil, frames: [String] = []) {
    self.name = name
    self.reason = reason
    self.frames = frames
  }
}
