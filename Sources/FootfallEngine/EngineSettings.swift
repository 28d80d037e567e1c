package import FootfallCore
package import FootfallOutbox

/// The values an engine is started with; they do not change while it runs.
///
/// A face is a set of these values and a codec. Defaults are those of the native client
/// (`architecture.md`, section 5).
package struct EngineSettings: Sendable {
  /// The folder of this client alone.
  package var folder: String
  /// What is sent where, and what answers mean.
  package var codec: NativeCodec
  /// How large batches and the backlog may become.
  package var outbox = OutboxLimits()
  /// How large events may be.
  package var events = EventLimits()
  /// How long the first event of a partial batch waits, in seconds.
  package var intervalSeconds = 10.0
  /// How long events gather in memory before they are written, in seconds; below 10 ms.
  package var gatherSeconds = 0.004
  /// How often the journal is synced at most, in seconds.
  package var syncSeconds = 1.0
  /// Whether events are marked as tests.
  package var isTest = false
  /// Whether events are collected from the start.
  package var isEnabled = true
  /// The device's id; nil to use the stored one, or else to make one.
  package var deviceID: String?

  /// Settings for a folder and a destination.
  package init(folder: String, codec: NativeCodec) {
    self.folder = folder
    self.codec = codec
  }
}
