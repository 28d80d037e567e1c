public import FootfallAWS
package import FootfallPlatform

/// Keeps records for streams of Kinesis Data Streams on disk, and sends them when it is told to.
///
/// ```swift
/// import FootfallKinesis
///
/// let recorder = AWSKinesisRecorder.default()
/// recorder.saveRecord(Data("a line".utf8), streamName: "lines").continueOnSuccessWith { _ in
///   recorder.submitAllRecords()
/// }
/// ```
public final class AWSKinesisRecorder: AWSAbstractKinesisRecorder, @unchecked Sendable {
  private static let registered = RecorderRegistry<AWSKinesisRecorder>()

  /// The recorder of the app's usual configuration; the same object each time.
  public static func `default`() -> AWSKinesisRecorder {
    registered.recorder(RecorderKey.usual) {
      AWSKinesisRecorder(RecorderRegistries.live(.kinesis, nil, key: RecorderKey.usual))
    }
  }

  /// Makes a recorder for a key of the app's choice, with a store of its own.
  ///
  /// - Parameters:
  ///   - configuration: How the service is reached.
  ///   - key: Names the recorder, and its folder; the first registration of a key counts.
  public static func register(with configuration: AWSServiceConfiguration, forKey key: String) {
    _ = registered.recorder(key) {
      AWSKinesisRecorder(RecorderRegistries.live(.kinesis, configuration, key: key))
    }
  }

  /// The recorder that was registered for a key; one of the app's usual configuration if none was.
  public convenience init(forKey key: String) {
    let known = Self.registered.recorder(key) {
      AWSKinesisRecorder(RecorderRegistries.live(.kinesis, nil, key: key))
    }
    self.init(known.recorder)
  }

  /// Lets go of the recorder that was registered for a key; its records stay on disk.
  public static func remove(forKey key: String) {
    registered.remove(key)
  }

  /// A recorder in a given world.
  package convenience init(
    _ configuration: AWSServiceConfiguration?,
    key: String = RecorderKey.usual,
    info: AWSInfo = .default(),
    in environment: Environment
  ) {
    let place = ServicePlace(StreamService.kinesis.type, configuration, info, section: nil)
    self.init(StreamRecorder(.kinesis, place, key: key, in: environment))
  }

  override init(_ recorder: StreamRecorder) {
    super.init(recorder)
  }
}
