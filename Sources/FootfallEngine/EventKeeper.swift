package import FootfallOutbox
package import FootfallPlatform
package import FootfallCore

/// A place of the app's own for a destination's events: it keeps them in blocks, and says what becomes
/// of a block once the server has answered.
///
/// With one, the destination has no files: what the client remembers is the keeper's to keep, too.
/// Called on the engine's thread alone.
package protocol EventKeeper: AnyObject, Sendable {
  /// Keeps an event behind those before, or throws what is in the way.
  func keep(_ event: Event) throws
  /// Ends the block that events are added to, so that it can be sent.
  func closeBlock()
  /// The blocks that can be sent, oldest first.
  var blocks: [String] { get }
  /// The stored bytes of each event of a block, none with a line feed; nil if they cannot be read.
  func events(of block: String) -> [[UInt8]]?
  /// Gives up a block of which nothing can be read.
  func remove(_ block: String)
  /// Takes in what came of a request with a block: true if nothing of it has to be sent again.
  func settle(_ block: String, _ response: UploadResponse) -> Bool
  /// Forgets all events, and what is remembered.
  func removeAll()
  /// Remembers, from run to run, what the client is, or throws what is in the way.
  func remember(_ state: ClientState) throws
  /// What was remembered last; nil at the first run.
  func recall() -> ClientState?
}
