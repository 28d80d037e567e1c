import FootfallAWS
import FootfallKinesis
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

/// The loop that saves records and submits them once all are saved, as the document writes it.
@Suite(.timeLimit(.minutes(5))) struct `Recorders: a chain of tasks` {
  let world = RecorderWorld()

  /// What the last block would print.
  private func run(_ kinesisRecorder: AWSKinesisRecorder?, tooLarge: Int? = nil) async -> [String] {
    let printed = Lock<[String]>([])
    var tasks: [AWSTask<AnyObject>] = []
    // swift-format-ignore: NeverForceUnwrap
    for i in 0...100 {
      let text = i == tooLarge ? String(repeating: "x", count: 262_145) : nil
      tasks.append(
        kinesisRecorder!.saveRecord(
          (text ?? String(format: "Line-%02d", i)).data(using: .utf8),
          streamName: "shelf"
        )!
      )
    }
    await AWSTask(forCompletionOfAllTasks: tasks).continueOnSuccessWith(block: {
      (task: AWSTask<AnyObject>) -> AWSTask<AnyObject>? in
      kinesisRecorder?.submitAllRecords()
    }).continueWith(block: { (task: AWSTask<AnyObject>) -> Any? in
      if let error = task.error as NSError? { printed.withLock { $0.append("Error: \(error)") } }
      return nil
    }).ended()
    return printed.withLock { $0 }
  }

  @Test func `AWS-X4: one failed save of 101 keeps the submission away, and is told once`() async {
    let recorder = world.kinesis()
    let printed = await run(recorder, tooLarge: 50)
    #expect(printed.count == 1 && printed[0].hasPrefix("Error: "))
    #expect(world.batches.isEmpty && recorder.diskBytesUsed > 0)
  }

  @Test func `AWS-X4 AWS-C25: without a failure everything is submitted, and nothing is told`()
    async
  {
    let recorder = world.kinesis()
    #expect(await run(recorder).isEmpty)
    #expect(world.batches.count == 1 && recorder.diskBytesUsed == 0)
    #expect(world.texts == (0...100).map { String(format: "Line-%02d", $0) })
  }

  @Test func `AWS-C25: without a network one error is told, and all 101 records are kept`() async {
    let recorder = world.kinesis()
    world.judge { _ in .lose(.offline("no network")) }
    let printed = await run(recorder)
    #expect(printed.count == 1 && printed[0].hasPrefix("Error: "))
    world.judge { _ in .take() }
    await recorder.submit()
    #expect(world.batches.last?.records.count == 101)
  }

  @Test func `AWS-C22 AWS-C23: data that was not unwrapped is saved, and nothing is sent`() async {
    let (kinesis, firehose) = (world.kinesis(), world.firehose())
    let note = "Some_note".data(using: .utf8)
    #expect(await kinesis.saveRecord(note, streamName: "shelf").ended() == nil)
    #expect(await firehose.saveRecord(note, streamName: "shelf").ended() == nil)
    #expect(kinesis.diskBytesUsed >= 9 && firehose.diskBytesUsed >= 9)
    #expect(world.batches.isEmpty)
  }
}
