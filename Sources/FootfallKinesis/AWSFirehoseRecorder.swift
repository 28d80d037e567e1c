/// Keeps records for streams of Firehose on disk, and sends them when it is told to.
///
/// ```swift
/// import FootfallKinesis
///
/// let recorder = AWSFirehoseRecorder.default()
/// recorder.saveRecord(Data("a line".utf8), streamName: "lines").continueOnSuccessWith { _ in
///   recorder.submitAllRecords()
/// }
/// ```
public final class AWSFirehoseRecorder: AWSAbstractKinesisRecorder, @unchecked Sendable {
  override class var service: StreamService { .firehose }
}
