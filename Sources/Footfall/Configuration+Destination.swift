public import Foundation

extension FootfallClient {
  /// Another Footfall server that gets every event too.
  ///
  /// It has a queue, retries and numbers of its own, so a server that is down holds up no other;
  /// `diagnostics.destinations` has them under its name. The results of events are those of the
  /// client's own server.
  public struct Destination: Sendable, Hashable {
    /// Tells destinations apart, and names a folder; 1 to 64 characters, not `main`.
    ///
    /// Letters, digits and `-` stay as they are, anything else becomes `_`. A destination whose name
    /// is empty or was given before is left out, with a line in the log.
    public var name: String
    /// The ingest key of the project there.
    public var key: String
    /// The server's address; the path is added.
    public var endpoint: URL

    /// A destination from its parts.
    public init(name: String, key: String, endpoint: URL) {
      self.name = name
      self.key = key
      self.endpoint = endpoint
    }
  }
}
