public import FootfallAWS
package import FootfallPlatform
public import Foundation

/// Keeps records for streams on disk until they are submitted.
///
/// Use `AWSKinesisRecorder` or `AWSFirehoseRecorder`. Everything is done in the order it was called, in
/// the background; nothing is sent but by `submitAllRecords()`. A record is on disk, and survives the
/// end of the process, once the task of its save has ended. Any thread.
///
/// Safety: all it has is a recorder that any thread may use.
public class AWSAbstractKinesisRecorder: AWSService, @unchecked Sendable {
  let recorder: StreamRecorder

  /// The service that recorders of this class send to.
  class var service: StreamService { .kinesis }

  required init(_ recorder: StreamRecorder) {
    self.recorder = recorder
    super.init()
    recorder.board.belong(to: self)
  }

  /// The recorder of the app's usual configuration; the same object each time, for each class its own.
  public static func `default`() -> Self {
    RecorderRegistry.shared.recorder(RecorderRegistry.usualKey) { Self.live(nil, key: $0) }
  }

  /// Makes a recorder for a key of the app's choice, with a store of its own.
  ///
  /// - Parameters:
  ///   - configuration: How the service is reached.
  ///   - key: Names the recorder, and its folder; the first registration of a key counts.
  public static func register(with configuration: AWSServiceConfiguration, forKey key: String) {
    let _: Self = RecorderRegistry.shared.recorder(key) { Self.live(configuration, key: $0) }
  }

  /// The recorder that was registered for a key; one of the app's usual configuration if none was.
  public convenience init(forKey key: String) {
    let known: Self = RecorderRegistry.shared.recorder(key) { Self.live(nil, key: $0) }
    self.init(known.recorder)
  }

  /// Lets go of the recorder that was registered for a key; its records stay on disk.
  public static func remove(forKey key: String) {
    RecorderRegistry.shared.remove(Self.self, key)
  }

  private static func live(_ configuration: AWSServiceConfiguration?, key: String) -> Self {
    Self(recorder(configuration, key: key, info: .default(), in: RecorderRegistry.world))
  }

  private static func recorder(
    _ configuration: AWSServiceConfiguration?,
    key: String,
    info: AWSInfo,
    in environment: Environment
  ) -> StreamRecorder {
    let place = ServicePlace(service.type, configuration, info, section: nil)
    return StreamRecorder(service, place, key: key, in: environment)
  }

  /// A recorder in a given world.
  package convenience init(
    _ configuration: AWSServiceConfiguration?,
    key: String = RecorderRegistry.usualKey,
    info: AWSInfo = .default(),
    in environment: Environment
  ) {
    self.init(Self.recorder(configuration, key: key, info: info, in: environment))
  }

  /// The bytes of all records kept, with their keys and the names of their streams.
  ///
  /// Exact as soon as a save's task has ended. The first access may wait for the disk.
  public var diskBytesUsed: UInt { UInt(clamping: recorder.bytes) }

  /// More bytes than this are told of by a notification; 0, the default, for never.
  public var notificationByteThreshold: UInt {
    get { recorder.board.settings.notificationBytes }
    set { recorder.board.set { $0.notificationBytes = newValue } }
  }

  /// The most bytes kept; 5 MiB unless set, 0 for no limit.
  ///
  /// What is over it goes at the next save or submission, oldest records first, and is counted as
  /// `AWSRecorderDrop.Reason.backlogFull`. The records of a request that is on its way stay, and do not
  /// count until its answer is there.
  public var diskByteLimit: UInt {
    get { recorder.board.settings.diskBytes }
    set { recorder.board.set { $0.diskBytes = newValue } }
  }

  /// How long records are kept, in seconds; 0, the default, for no limit.
  ///
  /// What is older goes at the next save or submission, and is counted as `AWSRecorderDrop.Reason.tooOld`.
  public var diskAgeLimit: TimeInterval {
    get { recorder.board.settings.diskAgeSeconds }
    set { recorder.board.set { $0.diskAgeSeconds = newValue.isFinite ? max(0, newValue) : 0 } }
  }

  /// How many bytes of records go in one request at most; 512 KiB unless set, 4 MiB at most.
  ///
  /// A single record that is larger goes alone.
  public var batchRecordsByteLimit: UInt {
    get { recorder.board.settings.batchBytes }
    set {
      recorder.board.set { $0.batchBytes = min(newValue, RecorderSettings.mostBatchBytes) }
    }
  }

  /// How often a record may fail by itself before the last time; 3 unless set, 0 for ever.
  ///
  /// It is given up at the failure after that, and counted as `AWSRecorderDrop.Reason.triedTooOften`. Failures of a
  /// whole request, such as for want of a network, do not count.
  public var maxRetryCount: UInt {
    get { recorder.board.settings.mostTries }
    set { recorder.board.set { $0.mostTries = newValue } }
  }

  /// How many records were given up since the start, by reason.
  public var droppedRecords: [AWSRecorderDrop.Reason: Int] { recorder.board.dropped }

  /// Hears of records that are given up, on a thread of the system's; nil unless set.
  public var dropHandler: (@Sendable (AWSRecorderDrop) -> Void)? {
    get { recorder.board.onDrop }
    set { recorder.board.onDrop = newValue }
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Saves a record, under a random key that spreads records over shards.
  ///
  /// - Parameters:
  ///   - data: What the record says, 262,144 bytes at most.
  ///   - streamName: The stream it is for; not empty.
  /// - Returns: A task that ends without a result once the record is on disk, or with an error, whose
  ///   code is 1 if the record is too large.
  @discardableResult
  public func saveRecord(_ data: Data!, streamName: String!) -> AWSTask<AnyObject>! {
    recorder.save(data, stream: streamName, partitionKey: nil)
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Saves a record under a key.
  ///
  /// - Parameters:
  ///   - data: What the record says, 262,144 bytes at most.
  ///   - streamName: The stream it is for; not empty.
  ///   - partitionKey: Records of one key go to one shard; Firehose has none and is not sent it.
  /// - Returns: As `saveRecord(_:streamName:)`.
  @discardableResult
  public func saveRecord(
    _ data: Data!,
    streamName: String!,
    partitionKey: String!
  ) -> AWSTask<AnyObject>! {
    recorder.save(data, stream: streamName, partitionKey: partitionKey)
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Sends every record saved before the call, each stream's in the order of saving.
  ///
  /// What the service takes is removed; what it can never take is, too, and counted; the rest is kept
  /// for the next submission. A stream in trouble holds up no other. During a submission another one is
  /// part of it.
  ///
  /// - Returns: A task that ends without a result, or with the first reason for which records are kept.
  @discardableResult
  public func submitAllRecords() -> AWSTask<AnyObject>! {
    recorder.submit()
  }

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// Removes every record saved before the call; no loss is counted.
  ///
  /// - Returns: A task that ends without a result once they are removed.
  @discardableResult
  public func removeAllRecords() -> AWSTask<AnyObject>! {
    recorder.removeAll()
  }
}
