package import FootfallCore
package import FootfallOutbox
package import FootfallSystem
package import FootfallPlatform

/// Where events go and how: one outbox, one codec, one set of rules.
package struct DestinationSettings: Sendable {
  /// Tells destinations of a client apart; a folder is named after it.
  package var name: String
  /// The folder of this destination alone.
  package var folder: String
  /// What is sent where, and what answers mean.
  package var codec: any WireCodec
  /// How large batches and the backlog may become.
  package var outbox = OutboxLimits()
  /// What goes when more events are kept than may be.
  package var overflow = Overflow.oldestBatches
  /// When stored events become a batch; how large one may be is the outbox's to say.
  package var flush = FlushRules.native
  /// How often events are written at most, in seconds; 0 for as soon as they are received.
  ///
  /// Until then they are in memory only, and a kill of the process costs them. What is to be sealed,
  /// leaves the screen or ends is written at once.
  package var writeSeconds = 0.0
  /// Whether a flush of the client is one of this destination; if not, it sends by its rules alone.
  package var joinsFlush = true
  /// What is done about failures.
  package var delivery = DeliveryRules.native
  /// How much the steps of sending matter in the log.
  package var levels = LogLevels()
  /// What its folder lies in, with the client's state if it is the client's own; nil for the
  /// environment's files.
  package var files: (any FileSystem)?
  /// What the folder of identifies that are held back lies in; nil for the environment's files.
  package var heldFiles: (any FileSystem)?
  /// A place of the app's own that keeps events in the place of files; nil for files.
  ///
  /// Identifies are not held back then, and what the client remembers is kept there too.
  package var keeper: (any EventKeeper)?
  /// A place of the app's own that keeps identifies that are held back in the place of files; nil for
  /// files.
  package var identifyKeeper: (any IdentifyKeeper)?
  /// Whether the system is asked for time before each request, to finish it should the app leave the
  /// screen meanwhile.
  package var asksForTime = false
  /// Whether identifies that only set properties are held back and merged.
  package var mergesIdentifies = true

  /// The name of the client's own destination.
  package static let mainName = "main"

  /// What goes when more events are kept than may be.
  package enum Overflow: Sendable, Equatable {
    /// The oldest, whole batches first.
    case oldestBatches
    /// The oldest groups, as `BacklogGroup` has it and the codec tells them apart.
    case oldestGroups
  }

  /// How much the steps of sending matter in the log.
  package struct LogLevels: Sendable, Equatable {
    /// What is stored begins to be sent.
    package var flush = LogLevel.debug
    /// A request failed, or the server refused events.
    package var failure = LogLevel.warning

    /// Sending is nobody's business until it fails.
    package init() {}
  }

  /// Settings of a destination.
  package init(name: String, folder: String, codec: any WireCodec) {
    self.name = name
    self.folder = folder
    self.codec = codec
  }
}
