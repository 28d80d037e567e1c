import FootfallKinesis
import Foundation

/// Puts the lines of its input into a stream, as an app written for the AWS SDK for iOS does.
@main struct Lines {
  static func main() {
    guard let (recorder, stream) = recorder() else {
      print("Set FOOTFALL_URL, STREAM, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.")
      exit(2)
    }
    recorder.diskAgeLimit = TimeInterval(30 * 24 * 60 * 60)
    recorder.diskByteLimit = UInt(10 * 1024 * 1024)
    recorder.dropHandler = { print("Lost: \($0.count) records (\($0.reason)) \($0.message)") }
    var saves: [AWSTask<AnyObject>] = []
    while let line = readLine() {
      saves.append(recorder.saveRecord(Data((line + "\n").utf8), streamName: stream))
    }
    let submission = AWSTask(forCompletionOfAllTasks: saves)
      .continueOnSuccessWith(block: { (_: AWSTask<AnyObject>) -> AWSTask<AnyObject>? in
        recorder.submitAllRecords()
      })
    submission.waitUntilFinished()
    if let error = submission.error {
      print("Kept for the next run, \(recorder.diskBytesUsed) bytes: \(error.localizedDescription)")
      exit(1)
    }
    print("Delivered: \(saves.count) lines")
  }

  /// A recorder for the server and the stream that the environment names; for Firehose if SERVICE says so.
  private static func recorder() -> (AWSAbstractKinesisRecorder, stream: String)? {
    let said = ProcessInfo.processInfo.environment
    guard let url = said["FOOTFALL_URL"].flatMap({ URL(string: $0) }), let stream = said["STREAM"],
      let key = said["AWS_ACCESS_KEY_ID"], let secret = said["AWS_SECRET_ACCESS_KEY"],
      let configuration = AWSServiceConfiguration(
        region: .USEast1,
        endpoint: AWSEndpoint(url: url),
        credentialsProvider: AWSStaticCredentialsProvider(accessKey: key, secretKey: secret)
      )
    else { return nil }
    AWSServiceManager.default().defaultServiceConfiguration = configuration
    let isFirehose = said["SERVICE"] == "firehose"
    return (isFirehose ? AWSFirehoseRecorder.default() : AWSKinesisRecorder.default(), stream)
  }
}
