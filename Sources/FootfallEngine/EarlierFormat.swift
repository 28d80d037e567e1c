package import FootfallCore
package import FootfallOutbox
package import FootfallPlatform
package import FootfallSystem

/// What another client left on this device, for one that takes its place in the app.
///
/// The engine asks on its own thread, when the client's folder is opened and events may be kept.
/// Nothing is taken away before it is stored here; a stop in between finds the rest next time, and
/// events that come twice then have the ids they always had.
package protocol EarlierFormat: Sendable {
  /// What that client remembered of device, user and session; nil for nothing.
  ///
  /// Asked only while this client remembers nothing of its own.
  func state(in world: EarlierWorld) -> ClientState?
  /// The places with events that were not sent, oldest first.
  func places(in world: EarlierWorld) -> [any EarlierPlace]
  /// All places were taken over that could be: removes what is empty.
  func finish(in world: EarlierWorld)
}

/// A place in which another client left events.
package protocol EarlierPlace {
  /// What the log calls it.
  var name: String { get }
  /// What is in it; throws if that cannot be known now, and leaves it for the next start.
  func read() throws(EarlierFailure) -> EarlierEvents
  /// Takes away what `read` gave, which is stored here now.
  func remove() throws(EarlierFailure)
}

/// What a reader of earlier formats works with.
package struct EarlierWorld: Sendable {
  /// The device's files.
  package var files: any FileSystem
  /// Takes sentences about what was found.
  package var log: Logger
  /// Now, in milliseconds since 1970.
  package var milliseconds: Int64

  /// A world from its parts.
  package init(files: any FileSystem, log: Logger, milliseconds: Int64) {
    self.files = files
    self.log = log
    self.milliseconds = milliseconds
  }
}

/// Events of another client.
package struct EarlierEvents: Sendable {
  /// Those that waited to be sent, oldest first.
  package var queued: [Event] = []
  /// Identifies that were held back to be merged, oldest first.
  package var held: [Event] = []
  /// How many could not be read; they are lost.
  package var damaged = 0
  /// What the batch of these events says once, in the codec's own form; nil for what all batches do.
  package var commonContent: [UInt8]?

  /// None.
  package init() {}
}

/// Why an earlier client's events stay where they are for now.
package struct EarlierFailure: Error, Equatable, CustomStringConvertible {
  /// Part of a sentence.
  package let description: String

  /// A failure in words.
  package init(_ description: String) {
    self.description = description
  }
}
