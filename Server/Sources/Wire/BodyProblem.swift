/// Why a body is refused as a whole.
enum BodyProblem: Error {
  /// Not JSON (RFC 8259), or not UTF-8.
  case malformed
  /// More levels of objects and lists than the scanner follows, see `JSONScanner.maxDepth`.
  case tooDeep
  /// JSON, but nothing that could hold events.
  case wrongShape
  /// More events than one request may hold.
  case tooManyEvents
}
