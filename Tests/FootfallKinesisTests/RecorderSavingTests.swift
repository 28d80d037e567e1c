import FootfallAWS
import FootfallKinesis
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Recorders: saving` {
  let world = RecorderWorld()

  @Test func `AWS-R2: 262,144 bytes are saved, one more is an error with the code 1`() async {
    let recorder = world.kinesis()
    #expect(await recorder.saveRecord(Data(count: 262_144), streamName: "s").ended() == nil)
    let used = recorder.diskBytesUsed
    #expect(used >= 262_144)
    let error = await recorder.saveRecord(Data(count: 262_145), streamName: "s").ended() as NSError?
    #expect(error?.domain == AWSKinesisRecorderErrorDomain && error?.code == 1)
    #expect(error?.code == AWSKinesisRecorderErrorType.dataTooLarge.rawValue)
    #expect(recorder.diskBytesUsed == used)
    let firehose =
      await world.firehose().saveRecord(Data(count: 262_145), streamName: "s").ended() as NSError?
    #expect(firehose?.domain == AWSFirehoseRecorderErrorDomain && firehose?.code == 1)
  }

  @Test func `AWS-R3: without a limit of bytes everything is kept`() async {
    let recorder = world.kinesis()
    recorder.diskByteLimit = 0
    await recorder.save(1_000, bytes: 10_240)
    #expect(recorder.droppedRecords.isEmpty && recorder.diskBytesUsed >= 10_240_000)
    await recorder.submit()
    #expect(numbers(world.batches) == Array(0..<1_000))
  }

  @Test func `AWS-R4: over the limit of bytes the oldest go, and the newest are kept`() async {
    let recorder = world.kinesis()
    recorder.diskByteLimit = 1_048_576
    await recorder.save(300, bytes: 10_240)
    #expect(recorder.diskBytesUsed <= 1_048_576 && recorder.diskBytesUsed > 1_030_000)
    await recorder.submit()
    let sent = numbers(world.batches)
    #expect(sent == Array(300 - sent.count..<300) && sent.count >= 101)
    #expect(recorder.droppedRecords[.backlogFull] == 300 - sent.count)
  }

  @Test(arguments: [true, false])
  func `AWS-R5: a record over the age limit is gone at the next save or submission`(
    bySaving: Bool
  ) async {
    let recorder = world.kinesis()
    recorder.diskAgeLimit = 2_592_000
    await recorder.save(["old"])
    world.clock.advance(bySeconds: 2_592_001)
    if bySaving { await recorder.save(["new"]) }
    await recorder.submit()
    #expect(world.texts == (bySaving ? ["new"] : []))
    #expect(recorder.droppedRecords == [.tooOld: 1] && recorder.diskBytesUsed == 0)
  }

  @Test func `a record exactly as old as the limit is kept`() async {
    let recorder = world.kinesis()
    recorder.diskAgeLimit = 2_592_000
    await recorder.save(["old"])
    world.clock.advance(bySeconds: 2_592_000)
    await recorder.submit()
    #expect(world.texts == ["old"])
  }

  @Test func `AWS-R6: passing the threshold is told once, with the bytes; without one never`() async
  {
    let recorder = world.kinesis()
    recorder.diskByteLimit = 0
    let told = Monitor<[Int]>([])
    /// What was told once it is so often, or after a while.
    func heard(_ times: Int) async -> [Int] {
      await waiting { told.wait(timeoutSeconds: 60) { $0.count >= times ? $0 : nil } ?? [] }
    }
    let observer = NotificationCenter.default.addObserver(
      forName: .AWSKinesisRecorderByteThresholdReached,
      object: recorder,
      queue: nil
    ) { note in
      told.change { $0.append((note.userInfo?["diskBytesUsed"] as? NSNumber)?.intValue ?? 0) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    await recorder.save(21, bytes: 260_000)
    #expect(told.withLock { $0 }.isEmpty)
    await recorder.submit()
    recorder.notificationByteThreshold = 5_242_880
    await recorder.save(20, bytes: 260_000)
    #expect(told.withLock { $0 }.isEmpty && recorder.diskBytesUsed <= 5_242_880)
    await recorder.save(3, bytes: 260_000)
    #expect(await heard(1).count == 1 && told.withLock { $0 }[0] > 5_242_880)
    // Back under it and over it again is another time.
    await recorder.submit()
    await recorder.save(21, bytes: 260_000)
    #expect(await heard(2).count == 2)
  }

  /// Waits on a thread of its own, so that none of the pool is held.
  private func waiting<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: body()) }
    }
  }

  @Test func `whoever is told of the threshold may wait for the recorder at once`() async {
    let recorder = world.kinesis()
    recorder.notificationByteThreshold = 100
    let submitted = Monitor(false)
    let observer = NotificationCenter.default.addObserver(
      forName: .AWSKinesisRecorderByteThresholdReached,
      object: recorder,
      queue: nil
    ) { _ in
      recorder.submitAllRecords().waitUntilFinished()
      submitted.change { $0 = true }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    recorder.saveRecord(Data(count: 200), streamName: "s")
    let isOver = await waiting { submitted.wait(timeoutSeconds: 60) { $0 ? true : nil } }
    #expect(isOver == true, "The recorder's queue is held by the one it told.")
    guard isOver == true else { return }
    #expect(world.batches.count == 1)
    #expect(recorder.diskBytesUsed == 0)
  }

  @Test func `AWS-R18: records without a key have random ones, with a key that`() async {
    let recorder = world.kinesis()
    await recorder.save(["a", "b"])
    _ = await recorder.saveRecord(Data("c".utf8), streamName: "clicks", partitionKey: "user-1")
      .ended()
    await recorder.submit()
    let keys = world.batches.flatMap { $0.records.map { $0.partitionKey ?? "" } }
    #expect(keys.count == 3 && keys[0] != keys[1] && keys[2] == "user-1")
    #expect(keys.prefix(2).allSatisfy { UUID(uuidString: $0) != nil })
  }

  @Test func `AWS-R19: a store of garbage is set right at the next save, and told of once`() async {
    let before = world.kinesis()
    await before.save(["a", "b"])
    let damaged = RecorderWorld(files: world.files.copy(), clock: world.clock)
    for path in damaged.files.paths where (damaged.files.bytes(path)?.count ?? 0) > 64 {
      damaged.files.setBytes(path, Array(repeating: 0x5a, count: 700))
    }
    let told = Lock<[AWSRecorderDrop]>([])
    let recorder = damaged.kinesis()
    recorder.dropHandler = { drop in told.withLock { $0.append(drop) } }
    #expect(await recorder.save(["c"]) == nil)
    // The first submission tells of it, too; what is stored is sent all the same.
    #expect(await recorder.submit()?.localizedDescription.contains("damaged") == true)
    #expect(await recorder.submit() == nil)
    #expect(damaged.texts == ["c"])
    #expect(recorder.droppedRecords == [.damaged: 1])
    #expect(told.withLock { $0.map(\.reason) } == [.damaged])
    let again = RecorderWorld(files: damaged.files.copy(), clock: world.clock)
    let later = again.kinesis()
    #expect(await later.submit() == nil && later.droppedRecords.isEmpty)
  }

  @Test func `AWS-R21: the bytes used are exact as soon as a save's task has ended`() async {
    let recorder = world.kinesis()
    await recorder.save(["a"])
    #expect(await recorder.removeAllRecords().ended() == nil)
    #expect(recorder.diskBytesUsed == 0)
    let used = Lock<UInt>(0)
    _ = await recorder.saveRecord(Data(count: 1_000), streamName: "s", partitionKey: "key")
      .continueWith { _ in
        used.withLock { $0 = recorder.diskBytesUsed }
        return nil
      }.ended()
    #expect(used.withLock { $0 } == 1_004)
    await recorder.submit()
    #expect(recorder.diskBytesUsed == 0 && world.batches.count == 1)
  }

  @Test
  func `AWS-R23: each class has one recorder by default, and neither sends the other's records`()
    async
  {
    #expect(AWSKinesisRecorder.default() === AWSKinesisRecorder.default())
    #expect(AWSFirehoseRecorder.default() === AWSFirehoseRecorder.default())
    let (kinesis, firehose) = (world.kinesis(), world.firehose())
    await kinesis.save(["k"])
    await firehose.save(["f"])
    await firehose.submit()
    #expect(world.texts == ["f"])
    await kinesis.submit()
    #expect(world.texts == ["f", "k"])
    #expect(world.batches.map { $0.target.prefix(4) } == ["Fire", "Kine"])
  }

  @Test func `AWS-R24: a fresh recorder has the documented defaults`() async {
    let recorder = world.kinesis()
    #expect(recorder.diskAgeLimit == 0 && recorder.diskByteLimit == 5_242_880)
    #expect(recorder.notificationByteThreshold == 0 && recorder.diskBytesUsed == 0)
    #expect(recorder.batchRecordsByteLimit == 524_288)
    let told = Lock(0)
    let observer = NotificationCenter.default.addObserver(
      forName: .AWSKinesisRecorderByteThresholdReached,
      object: recorder,
      queue: nil
    ) { _ in told.withLock { $0 += 1 } }
    defer { NotificationCenter.default.removeObserver(observer) }
    await recorder.save(1_000, bytes: 10_240)
    #expect(recorder.diskBytesUsed <= 5_242_880 && told.withLock { $0 } == 0)
    await recorder.submit()
    #expect(numbers(world.batches).last == 999)
  }

  @Test func `AWS-R30: what is set on one recorder is not set on the other`() {
    let (kinesis, firehose) = (world.kinesis(), world.firehose())
    kinesis.diskAgeLimit = 10
    kinesis.diskByteLimit = 11
    kinesis.notificationByteThreshold = 12
    kinesis.batchRecordsByteLimit = 13
    #expect(kinesis.diskAgeLimit == 10 && kinesis.diskByteLimit == 11)
    #expect(firehose.diskAgeLimit == 0 && firehose.diskByteLimit == 5_242_880)
    #expect(firehose.notificationByteThreshold == 0 && firehose.diskBytesUsed == 0)
    #expect(firehose.batchRecordsByteLimit == 524_288)
  }

  @Test func `a record without data or a stream's name is not saved`() async {
    let recorder = world.kinesis()
    #expect(await recorder.saveRecord(nil, streamName: "s").ended() != nil)
    #expect(await recorder.saveRecord(Data(), streamName: "").ended() != nil)
    #expect(recorder.diskBytesUsed == 0)
  }

  @Test func `a full disk refuses a record and counts it; what is there is kept`() async {
    let recorder = world.kinesis()
    await recorder.save(["a"])
    world.files.setCapacity(0)
    #expect(await recorder.save(["b"]) != nil)
    world.files.setCapacity(.max)
    await recorder.submit()
    #expect(world.texts == ["a"] && recorder.droppedRecords == [.diskFull: 1])
  }
}
