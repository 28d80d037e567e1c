import Catalog
import EventStore
import FootfallKinesis
import Foundation
import Testing

/// An app that uses the recorders of the AWS SDK for iOS, against a server.
@Suite(.serialized, .timeLimit(.minutes(3))) struct `An app of Kinesis and Firehose` {
  private func recorders(
    _ account: AWSAccount
  ) throws -> (kinesis: AWSKinesisRecorder, firehose: AWSFirehoseRecorder) {
    let name = UUID().uuidString
    AWSKinesisRecorder.register(with: try account.configuration(.Kinesis), forKey: name)
    AWSFirehoseRecorder.register(with: try account.configuration(.Firehose), forKey: name)
    return (AWSKinesisRecorder(forKey: name), AWSFirehoseRecorder(forKey: name))
  }

  @Test func `AWS-C21: the three settings are read back`() throws {
    let account = try AWSAccount()
    defer { account.stop() }
    let kinesisRecorder = try recorders(account).kinesis
    kinesisRecorder.diskAgeLimit = TimeInterval(30 * 24 * 60 * 60)
    kinesisRecorder.diskByteLimit = UInt(10 * 1024 * 1024)
    kinesisRecorder.notificationByteThreshold = UInt(5 * 1024 * 1024)
    #expect(kinesisRecorder.diskAgeLimit == 2_592_000)
    #expect(kinesisRecorder.diskByteLimit == 10_485_760)
    #expect(kinesisRecorder.notificationByteThreshold == 5_242_880)
  }

  @Test func `AWS-C22 AWS-C23 AWS-C24: a record of each is saved, then sent`() async throws {
    let account = try AWSAccount(streams: [("shelf", .kinesis), ("shelf", .firehose)])
    defer { account.stop() }
    let (kinesisRecorder, firehoseRecorder) = try recorders(account)
    let note = "Some_note".data(using: .utf8)
    #expect(await kinesisRecorder.saveRecord(note, streamName: "shelf").outcome() == nil)
    #expect(await firehoseRecorder.saveRecord(note, streamName: "shelf").outcome() == nil)
    #expect(kinesisRecorder.diskBytesUsed >= 9 && firehoseRecorder.diskBytesUsed >= 9)
    #expect(await kinesisRecorder.submitAllRecords().outcome() == nil)
    #expect(await firehoseRecorder.submitAllRecords().outcome() == nil)
    #expect(kinesisRecorder.diskBytesUsed == 0 && firehoseRecorder.diskBytesUsed == 0)
    #expect(try account.server.events(2).count == 2)
  }

  @Test func `AWS-C25: a loop saves records, and they are submitted once all are saved`()
    async throws
  {
    let account = try AWSAccount(streams: [("shelf", .kinesis)])
    defer { account.stop() }
    let kinesisRecorder: AWSKinesisRecorder? = try recorders(account).kinesis
    var tasks: [AWSTask<AnyObject>] = []
    // swift-format-ignore: NeverForceUnwrap
    for i in 0...100 {
      tasks.append(
        kinesisRecorder!.saveRecord(
          String(format: "Line-%02d", i).data(using: .utf8),
          streamName: "shelf"
        )!
      )
    }
    let printed = Printed()
    let last = AWSTask(forCompletionOfAllTasks: tasks).continueOnSuccessWith(block: {
      (task: AWSTask<AnyObject>) -> AWSTask<AnyObject>? in
      kinesisRecorder?.submitAllRecords()
    }).continueWith(block: { (task: AWSTask<AnyObject>) -> Any? in
      if let error = task.error as NSError? { printed.lines.append("Error: \(error)") }
      return nil
    })
    await last.outcome()
    #expect(printed.lines.isEmpty && kinesisRecorder?.diskBytesUsed == 0)
    #expect(try account.server.events(101).count == 101)
  }

  private final class Printed: @unchecked Sendable {
    // Safety: only the task's last block appends, before the test looks.
    var lines: [String] = []
  }
}
