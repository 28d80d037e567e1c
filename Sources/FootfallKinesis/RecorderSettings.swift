/// What an app may change of a recorder while it runs.
struct RecorderSettings: Sendable, Hashable {
  /// The most bytes kept, the oldest records going first; 0 for no limit.
  var diskBytes: UInt = 5 * 1_024 * 1_024
  /// How long records are kept, in seconds; 0 for no limit.
  var diskAgeSeconds = 0.0
  /// More bytes than this are told of, once for each time they become so many; 0 for never.
  var notificationBytes: UInt = 0
  /// How large a batch may be, in bytes.
  var batchBytes: UInt = 512 * 1_024
  /// How often a record may fail by itself before the last time; 0 for ever.
  var mostTries: UInt = 3

  /// The most that a batch may be set to, in bytes.
  ///
  /// Source: `aws.md` section 3.6.
  static let mostBatchBytes: UInt = 4 * 1_024 * 1_024

  /// How large batches are.
  var batch: RecordIndex.BatchLimits {
    RecordIndex.BatchLimits(bytes: Int(min(batchBytes, Self.mostBatchBytes)))
  }
}
