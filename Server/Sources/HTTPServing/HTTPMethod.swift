/// The request methods that routes can be registered for.
public enum HTTPMethod: String, Sendable, Hashable, CaseIterable {
  /// Reads.
  case get = "GET"
  /// Reads, answered without a body; falls to the `GET` route.
  case head = "HEAD"
  /// Adds or acts.
  case post = "POST"
  /// Replaces.
  case put = "PUT"
  /// Changes a part.
  case patch = "PATCH"
  /// Removes.
  case delete = "DELETE"
  /// Asks what is allowed; answered from the routes unless one is registered for it.
  case options = "OPTIONS"

  /// The method of that name, exactly as spelled on the wire; nil for any other.
  init?(bytes: UnsafeRawBufferPointer) {
    for method in HTTPMethod.all where bytes.isEqual(to: method.name) {
      self = method.method
      return
    }
    return nil
  }

  private static let all: [(method: HTTPMethod, name: StaticString)] = [
    (.post, "POST"), (.get, "GET"), (.options, "OPTIONS"), (.head, "HEAD"), (.put, "PUT"),
    (.delete, "DELETE"), (.patch, "PATCH"),
  ]
}
