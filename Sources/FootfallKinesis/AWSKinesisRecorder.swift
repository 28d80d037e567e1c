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
  override class var service: StreamService { .kinesis }
}
