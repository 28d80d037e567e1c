#if os(Linux) || os(macOS)
import FootfallKinesis
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// Programs that make the calls of the document's samples about Kinesis and Firehose, in the same order.
///
/// Each in a process of its own, whose recorders are those of the class and of the configuration file.
@Suite(.timeLimit(.minutes(5))) struct `Samples of AWS's document: recorders` {
  @Test func `AWS-C19 AWS-C20 AWS-C21: the recorders of an app, and their settings`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let kinesisRecorder = AWSKinesisRecorder.default()
      let firehoseRecorder = AWSFirehoseRecorder.default()
      kinesisRecorder.diskAgeLimit = TimeInterval(30 * 24 * 60 * 60)
      kinesisRecorder.diskByteLimit = UInt(10 * 1024 * 1024)
      kinesisRecorder.notificationByteThreshold = UInt(5 * 1024 * 1024)
      #expect(kinesisRecorder === AWSKinesisRecorder.default())
      #expect(firehoseRecorder === AWSFirehoseRecorder.default())
      #expect(kinesisRecorder.diskAgeLimit == 2_592_000)
      #expect(kinesisRecorder.diskByteLimit == 10_485_760)
      #expect(kinesisRecorder.notificationByteThreshold == 5_242_880)
      // Each has its own.
      #expect(firehoseRecorder.diskAgeLimit == 0 && firehoseRecorder.diskByteLimit == 5_242_880)
      #expect(firehoseRecorder.notificationByteThreshold == 0)
      try sample.end()
    }
  }

  @Test func `AWS-C22 AWS-C23 AWS-C24: a record of each is saved, and sent when that is asked for`()
    async
  {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let kinesisRecorder = AWSKinesisRecorder.default()
      let firehoseRecorder = AWSFirehoseRecorder.default()
      let yourData = "Lamp_data".data(using: .utf8)
      kinesisRecorder.saveRecord(
        yourData,
        streamName: "lamps"
      )
      firehoseRecorder.saveRecord(
        yourData,
        streamName: "lamp-archive"
      )
      kinesisRecorder.submitAllRecords()
      firehoseRecorder.submitAllRecords()
      // These are part of the submissions before, or find nothing left.
      #expect(await kinesisRecorder.submitAllRecords().ended() == nil)
      #expect(await firehoseRecorder.submitAllRecords().ended() == nil)
      let (kinesis, firehose) = (sample.batches("PutRecords"), sample.batches("PutRecordBatch"))
      #expect(kinesis.map(\.texts) == [["Lamp_data"]] && kinesis.map(\.stream) == ["lamps"])
      #expect(firehose.map(\.texts) == [["Lamp_data"]])
      #expect(firehose.map(\.stream) == ["lamp-archive"])
      #expect(kinesisRecorder.diskBytesUsed == 0 && firehoseRecorder.diskBytesUsed == 0)
      #expect(sample.server.requests.count == 2 && !sample.gotStrangers)
      try sample.end()
    }
  }

  @Test func `AWS-C22 AWS-C23: saved records take space and survive, with no request`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      let kinesisRecorder = AWSKinesisRecorder.default()
      let firehoseRecorder = AWSFirehoseRecorder.default()
      let yourData = "Lamp_data".data(using: .utf8)
      #expect(await kinesisRecorder.saveRecord(yourData, streamName: "lamps").ended() == nil)
      #expect(await firehoseRecorder.saveRecord(yourData, streamName: "lamps").ended() == nil)
      #expect(kinesisRecorder.diskBytesUsed >= 9 && firehoseRecorder.diskBytesUsed >= 9)
      #expect(sample.server.requests.isEmpty)
      try sample.end()
    }
  }

  /// What the sample would print.
  static let printed = Lock<[String]>([])

  /// Saves a hundred and one records, and submits them once all are saved.
  static func saveAndSubmit() async {
    let kinesisRecorder: AWSKinesisRecorder? = AWSKinesisRecorder.default()
    var tasks: [AWSTask<AnyObject>] = []
    // swift-format-ignore: NeverForceUnwrap
    for i in 0...100 {
      tasks.append(
        kinesisRecorder!.saveRecord(
          String(format: "Lamp-%02d", i).data(using: .utf8),
          streamName: "lamps"
        )!
      )
    }
    let last = AWSTask(forCompletionOfAllTasks: tasks).continueOnSuccessWith(block: {
      (task: AWSTask<AnyObject>) -> AWSTask<AnyObject>? in
      kinesisRecorder?.submitAllRecords()
    }).continueWith(block: { (task: AWSTask<AnyObject>) -> Any? in
      if let error = task.error as NSError? { printed.withLock { $0.append("Failed: \(error)") } }
      return nil
    })
    await last.ended()
  }

  @Test func `AWS-C25 AWS-R1: a loop of records is submitted once all are saved`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer()
      await Self.saveAndSubmit()
      #expect(Self.printed.withLock { $0 }.isEmpty)
      let batches = sample.batches("PutRecords")
      #expect(batches.count == 1 && batches.map(\.stream) == ["lamps"])
      #expect(batches.first?.texts == (0...100).map { String(format: "Lamp-%02d", $0) })
      #expect(AWSKinesisRecorder.default().diskBytesUsed == 0)
      try sample.end()
    }
  }

  @Test func `AWS-C25: with no server the error is told once, and all records stay`() async {
    await #expect(processExitsWith: .success) {
      let sample = try SampleAWSServer(isReachable: false)
      await Self.saveAndSubmit()
      let printed = Self.printed.withLock { $0 }
      #expect(printed.count == 1 && printed.allSatisfy { $0.hasPrefix("Failed: ") })
      #expect(AWSKinesisRecorder.default().diskBytesUsed >= 101 * "Lamp-00".utf8.count)
      #expect(AWSKinesisRecorder.default().droppedRecords.isEmpty)
      try sample.end()
    }
  }
}
#endif
