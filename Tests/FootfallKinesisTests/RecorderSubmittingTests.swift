import FootfallAWS
import FootfallKinesis
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Recorders: submitting` {
  let world = RecorderWorld()

  @Test func `AWS-R1: 101 records of a loop leave in one request, in order`() async {
    let recorder = world.kinesis()
    var tasks: [AWSTask<AnyObject>] = []
    for number in 0...100 {
      let text = String(format: "TestString-%02d", number)
      tasks.append(recorder.saveRecord(Data(text.utf8), streamName: "YourStreamName"))
    }
    _ = await AWSTask<AnyObject>(forCompletionOfAllTasks: tasks).ended()
    #expect(await recorder.submit() == nil)
    #expect(world.batches.count == 1 && world.batches[0].target == "Kinesis_20131202.PutRecords")
    #expect(world.texts == (0...100).map { String(format: "TestString-%02d", $0) })
    #expect(recorder.diskBytesUsed == 0)
  }

  @Test func `AWS-R7: 300 records of a stream go in requests of 128, 128 and 44`() async {
    let recorder = world.kinesis()
    await recorder.save(300, bytes: 20)
    await recorder.submit()
    #expect(world.batches.map(\.records.count) == [128, 128, 44])
    #expect(numbers(world.batches) == Array(0..<300))
  }

  @Test func `AWS-R8: a batch stops before its limit of bytes, which is 4 MiB at most`() async {
    let recorder = world.kinesis()
    await recorder.save(6, bytes: 100_000)
    await recorder.submit()
    #expect(world.batches.map(\.records.count) == [5, 1])
    recorder.batchRecordsByteLimit = 8_388_608
    #expect(recorder.batchRecordsByteLimit == 4_194_304)
    recorder.batchRecordsByteLimit = 10
    await recorder.save(["longer than ten bytes", "x"])
    await recorder.submit()
    #expect(world.batches.dropFirst(2).map(\.records.count) == [1, 1])
  }

  @Test
  func `AWS-R9: what failed by itself is kept and sent next time, in order, the rest never again`()
    async
  {
    let recorder = world.kinesis()
    await recorder.save(10, bytes: 20)
    world.judge { _ in .take(failing: [3: "InternalFailure", 7: "InternalFailure"]) }
    #expect(await recorder.submit() == nil)
    world.judge { _ in .take() }
    await recorder.submit()
    #expect(world.batches.map { numbers([$0]) } == [Array(0..<10), [3, 7]])
    #expect(recorder.diskBytesUsed == 0 && recorder.droppedRecords.isEmpty)
  }

  @Test(arguments: [UInt(3), 0])
  func `AWS-R10: a record is given up at its fourth failure, and never without a limit`(
    most: UInt
  ) async {
    let recorder = world.kinesis()
    recorder.maxRetryCount = most
    let told = Lock<[AWSRecorderDrop]>([])
    recorder.dropHandler = { drop in told.withLock { $0.append(drop) } }
    world.judge { _ in .take(failing: [0: "ProvisionedThroughputExceededException"]) }
    await recorder.save(["bad"])
    for _ in 0..<3 { await recorder.submit() }
    // How often it failed outlives the process.
    #expect(recorder.droppedRecords.isEmpty && world.batches.count == 3)
    let again = RecorderWorld(files: world.files.copy(), clock: world.clock)
    again.judge { _ in .take(failing: [0: "ProvisionedThroughputExceededException"]) }
    let later = again.kinesis()
    later.maxRetryCount = most
    for _ in 0..<20 { await later.submit() }
    #expect(again.batches.count == (most == 0 ? 20 : 1))
    #expect(later.droppedRecords == (most == 0 ? [:] : [.triedTooOften: 1]))
  }

  @Test func `AWS-R11: a record that Firehose cannot take now is kept and sent next time`() async {
    let recorder = world.firehose()
    await recorder.save(["a", "b", "c"])
    world.judge { _ in .take(failing: [1: "ServiceUnavailableException"]) }
    await recorder.submit()
    world.judge { _ in .take() }
    await recorder.submit()
    #expect(world.batches.map(\.texts) == [["a", "b", "c"], ["b"]])
  }

  @Test func `a record refused for good is given up, counted, and told of`() async {
    let recorder = world.kinesis()
    await recorder.save(["a", "b"])
    world.judge { _ in .take(failing: [0: "KMSDisabledException"]) }
    #expect(await recorder.submit() == nil)
    #expect(recorder.diskBytesUsed == 0)
    #expect(recorder.droppedRecords == [.rejected: 1])
  }

  @Test func `AWS-R12: without a network everything is kept, and nothing counts as tried`() async {
    let recorder = world.kinesis()
    await recorder.save(["a", "b"])
    await recorder.save(["c"], in: "other")
    world.judge { _ in .lose(.offline("no network")) }
    for _ in 0..<10 {
      let error = await recorder.submit()
      #expect(error?.domain == NSURLErrorDomain && error?.code == NSURLErrorNotConnectedToInternet)
    }
    // Where nobody can be reached, other streams are not tried.
    #expect(world.batches.count == 10)
    world.judge { _ in .take() }
    #expect(await recorder.submit() == nil)
    #expect(Set(world.texts.suffix(3)) == ["a", "b", "c"] && recorder.droppedRecords.isEmpty)
  }

  @Test(arguments: [
    "ResourceNotFoundException", "AccessDeniedException", "KMSAccessDeniedException",
  ])
  func `AWS-R13: a stream that is refused is kept and named, and holds up no other`(
    name: String
  ) async {
    let recorder = world.kinesis()
    await recorder.save(["a1", "a2"], in: "A")
    await recorder.save(["b1", "b2"], in: "B")
    await recorder.save(["a3"], in: "A")
    world.judge { $0.stream == "A" ? .refuse(name) : .take() }
    let error = await recorder.submit()
    #expect(error?.localizedDescription.contains("stream A") == true)
    #expect(error?.userInfo[AWSKinesisRecorderStreamNameKey] as? String == "A")
    #expect(error?.userInfo[AWSKinesisRecorderServiceErrorKey] as? String == name)
    #expect(world.batches.map(\.stream) == ["A", "B"])
    world.judge { _ in .take() }
    await recorder.submit()
    #expect(world.batches.last?.texts == ["a1", "a2", "a3"] && recorder.diskBytesUsed == 0)
  }

  @Test func `AWS-R14: the one record that makes a request invalid is found and given up`() async {
    let recorder = world.kinesis()
    await recorder.save((0..<8).map { "r\($0)" })
    world.judge { $0.texts.contains("r5") ? .refuse("InvalidArgumentException") : .take() }
    #expect(await recorder.submit() == nil)
    #expect(world.batches.count <= 7)
    let taken = world.batches.filter { !$0.texts.contains("r5") }.flatMap(\.texts)
    #expect(taken == ["r0", "r1", "r2", "r3", "r4", "r6", "r7"])
    #expect(recorder.droppedRecords == [.malformed: 1] && recorder.diskBytesUsed == 0)
  }

  @Test func `AWS-R15: a save does not wait for a submission's answer`() async {
    let recorder = world.kinesis()
    await recorder.save(["a"])
    let batch = RecorderWorld.response(.take(), to: SentBatch(emptyKinesis(records: 1)))
    world.transport.then(.hold(batch))
    let submission = recorder.submitAllRecords()
    await world.transport.waitForRequests(1)
    // The clock does not move meanwhile, and the answer is not given.
    #expect(await recorder.save(["b"]) == nil)
    #expect(submission?.isCompleted == false && recorder.diskBytesUsed > 0)
    world.transport.release()
    _ = await submission?.ended()
    await recorder.submit()
    #expect(world.texts == ["a", "b"])
  }

  private func emptyKinesis(records: Int) -> UploadRequest {
    let list = Array(repeating: #"{"Data":"","PartitionKey":"k"}"#, count: records)
    return UploadRequest(
      url: "",
      headers: [("X-Amz-Target", "Kinesis_20131202.PutRecords")],
      body: Array(#"{"StreamName":"s","Records":[\#(list.joined(separator: ","))]}"#.utf8)
    )
  }

  @Test func `AWS-R16: two submissions at once send every record once`() async {
    let recorder = world.kinesis()
    await recorder.save(300, bytes: 20)
    let tasks = (0..<5).compactMap { _ in recorder.submitAllRecords() }
    for task in tasks { #expect(await task.ended() == nil) }
    #expect(numbers(world.batches) == Array(0..<300))
  }

  @Test
  func `AWS-R17: a process that ends before it hears the answer sends again, and loses nothing`()
    async
  {
    let recorder = world.kinesis()
    await recorder.save(["a", "b"])
    world.transport.then(.hold(.failed(.cancelled)))
    let submission = recorder.submitAllRecords()
    await world.transport.waitForRequests(1)
    // The service has them; what is on disk now is what the next process finds.
    let again = RecorderWorld(files: world.files.copy(), clock: world.clock)
    let later = again.kinesis()
    #expect(await later.submit() == nil)
    #expect(again.texts == ["a", "b"] && again.batches[0].records == world.batches[0].records)
    world.transport.release()
    _ = await submission?.ended()
  }

  @Test(arguments: [
    #"{"FailedRecordCount":0,"Records":[{"SequenceNumber":"1","ShardId":"s"}]}"#, "<html>", "{}",
  ])
  func `AWS-R20: an answer that does not tell of every record settles none`(body: String) async {
    let recorder = world.kinesis()
    await recorder.save(10, bytes: 20)
    world.judge { _ in .say(body) }
    #expect(await recorder.submit() != nil)
    world.judge { _ in .take() }
    await recorder.submit()
    #expect(numbers(world.batches) == Array(0..<10) + Array(0..<10))
  }

  @Test func `AWS-R22: a session's token is sent and signed`() async throws {
    let provider = AWSBasicSessionCredentialsProvider(
      accessKey: "AKIDEXAMPLE",
      secretKey: "secret",
      sessionToken: "EXAMPLESESSIONTOKEN//example=="
    )
    let recorder = world.kinesis(world.configuration(provider))
    await recorder.save(["a"])
    await recorder.submit()
    let headers = try #require(world.transport.requests.first).headers
    let token = headers.first { $0.name == "X-Amz-Security-Token" }?.value
    #expect(token == "EXAMPLESESSIONTOKEN//example==")
    let authorization = headers.first { $0.name == "Authorization" }?.value ?? ""
    #expect(authorization.contains("x-amz-security-token") && authorization.contains("/kinesis/"))
  }

  @Test func `AWS-R25: nothing is sent before it is submitted, and then all of it at once`() async {
    let recorder = world.kinesis()
    for number in 0..<100 {
      await recorder.save(["r\(number)"])
      world.clock.advance(bySeconds: 6)
    }
    #expect(world.batches.isEmpty && recorder.diskBytesUsed > 0)
    await recorder.submit()
    #expect(world.batches.count == 1 && world.texts.count == 100 && recorder.diskBytesUsed == 0)
  }

  @Test func `AWS-R26: records outlive the process and a lack of network`() async {
    let before = world.kinesis()
    await before.save(10, bytes: 20)
    let again = RecorderWorld(files: world.files.copy(), clock: world.clock)
    again.judge { _ in .lose(.offline("no network")) }
    let recorder = again.kinesis()
    #expect(await recorder.submit() != nil)
    #expect(recorder.diskBytesUsed > 0)
    again.judge { _ in .take() }
    #expect(await recorder.submit() == nil)
    #expect(numbers(Array(again.batches.dropFirst())) == Array(0..<10))
    #expect(recorder.diskBytesUsed == 0)
  }

  @Test func `AWS-R27: a save that nobody waited for is in the submission of the next line`() async
  {
    let recorder = world.kinesis()
    recorder.saveRecord(Data("a".utf8), streamName: "s")
    _ = await recorder.submitAllRecords().ended()
    #expect(world.texts == ["a"])
  }

  @Test func `AWS-R28: Firehose gets its own operation, without keys`() async throws {
    let recorder = world.firehose()
    await recorder.save(["a", "b", "c"], in: "archive")
    await recorder.submit()
    #expect(world.batches.count == 1)
    let batch = try #require(world.batches.first)
    #expect(batch.target == "Firehose_20150804.PutRecordBatch" && batch.stream == "archive")
    #expect(batch.texts == ["a", "b", "c"] && batch.members == ["DeliveryStreamName", "Records"])
    #expect(batch.records.allSatisfy { $0.partitionKey == nil })
    #expect(world.transport.requests[0].url == "https://firehose.us-east-1.amazonaws.com/")
  }

  @Test func `AWS-R29: each stream has its request, in the order of saving`() async {
    let recorder = world.kinesis()
    for number in 0..<3 {
      await recorder.save(["a\(number)"], in: "a")
      await recorder.save(["b\(number)"], in: "b")
    }
    await recorder.submit()
    #expect(world.batches.map(\.stream) == ["a", "b"])
    #expect(world.batches.map(\.texts) == [["a0", "a1", "a2"], ["b0", "b1", "b2"]])
  }

  @Test func `before someone signed in nothing is sent, and everything is kept`() async {
    let recorder = world.kinesis(world.configuration(AWSAnonymousCredentialsProvider()))
    await recorder.save(["a"])
    let error = await recorder.submit()
    #expect(error?.domain == AWSServiceErrorDomain && world.batches.isEmpty)
    #expect(recorder.diskBytesUsed > 0)
  }

  @Test func `a busy service is asked again within a submission, and a submission later`() async {
    let recorder = world.kinesis(world.configuration(resends: 3))
    await recorder.save(["a"])
    world.judge { _ in .refuse("InternalFailure", status: 500) }
    let submission = recorder.submitAllRecords()
    for number in 1...3 {
      await world.transport.waitForRequests(number)
      await world.clock.waitForSleepers()
      world.clock.advance(bySeconds: 1)
    }
    #expect(await submission?.ended() != nil)
    #expect(world.batches.count == 4 && recorder.droppedRecords.isEmpty)
    world.judge { _ in .take() }
    #expect(await recorder.submit() == nil)
  }

  @Test
  func
    `what is saved while a stream is refused for long does not fill the disk with what was sent`()
    async
  {
    let recorder = world.kinesis()
    recorder.diskByteLimit = 0
    await recorder.save(["stuck"], in: "bad")
    world.judge { $0.stream == "bad" ? .refuse("ResourceNotFoundException") : .take() }
    for round in 0..<12 {
      await recorder.save(100, bytes: 10_000, from: round * 100, in: "good")
      await recorder.submit()
    }
    let held = world.files.paths.reduce(0) { $0 + (world.files.bytes($1)?.count ?? 0) }
    #expect(held < 7 << 20)
    let again = RecorderWorld(files: world.files.copy(), clock: world.clock)
    await again.kinesis().submit()
    #expect(again.texts == ["stuck"])
  }

  /// Ten records of 100 bytes, whose request waits for its answer.
  private func submitHeld(
    _ recorder: AWSKinesisRecorder,
    _ answer: RecorderWorld.Answer
  ) async -> AWSTask<AnyObject>? {
    await recorder.save(10, bytes: 100)
    let batch = SentBatch(records: 10)
    world.transport.then(.hold(RecorderWorld.response(answer, to: batch)))
    let submission = recorder.submitAllRecords()
    await world.transport.waitForRequests(1)
    return submission
  }

  @Test func `what is on its way is neither too old nor too much until the answer is there`() async
  {
    let recorder = world.kinesis()
    let submission = await submitHeld(recorder, .take())
    recorder.diskAgeLimit = 60
    recorder.diskByteLimit = 600
    world.clock.advance(bySeconds: 61)
    await recorder.save(["new"])
    world.transport.release()
    #expect(await submission?.ended() == nil)
    #expect(recorder.droppedRecords.isEmpty)
    await recorder.submit()
    #expect(numbers(world.batches) == Array(0..<10) && world.texts.last == "new")
    #expect(recorder.diskBytesUsed == 0 && recorder.droppedRecords.isEmpty)
  }

  @Test func `what was not taken is too old at the next look`() async {
    let recorder = world.kinesis()
    let submission = await submitHeld(recorder, .lose(.offline("no network")))
    recorder.diskAgeLimit = 60
    world.clock.advance(bySeconds: 61)
    await recorder.save(["new"])
    #expect(recorder.droppedRecords.isEmpty)
    world.transport.release()
    #expect(await submission?.ended() != nil)
    await recorder.submit()
    #expect(recorder.droppedRecords == [.tooOld: 10])
    #expect(world.batches.last?.texts == ["new"])
  }

  @Test func `what the app removed while it was on its way is no loss, whatever the answer`() async
  {
    let recorder = world.kinesis()
    recorder.maxRetryCount = 0
    let failing = Dictionary(uniqueKeysWithValues: (0..<10).map { ($0, "InvalidArgument") })
    let submission = await submitHeld(recorder, .take(failing: failing))
    #expect(await recorder.removeAllRecords().ended() == nil)
    world.transport.release()
    await submission?.ended()
    #expect(recorder.droppedRecords.isEmpty && recorder.diskBytesUsed == 0)
  }

  @Test func `a provider that never answers holds a submission up no longer than a request`()
    async
  {
    let provider = SlowProvider()
    let recorder = world.kinesis(world.configuration(provider))
    await recorder.save(["a"])
    let submission = recorder.submitAllRecords()
    await world.clock.waitForSleepers()
    world.clock.advance(bySeconds: 30)
    let error = await submission?.ended() as NSError?
    #expect(error?.domain == AWSServiceErrorDomain && world.batches.isEmpty)
    #expect(recorder.diskBytesUsed > 0 && recorder.droppedRecords.isEmpty)
    provider.answer()
    #expect(await recorder.submit() == nil)
    #expect(world.texts == ["a"] && world.clock.sleepers == 0)
  }
}

/// A provider of an app's own that keeps who asks waiting until a test says otherwise.
private final class SlowProvider: NSObject, AWSCredentialsProvider, Sendable {
  private let pending = AWSTaskCompletionSource<AWSCredentials>()

  func credentials() -> AWSTask<AWSCredentials> { pending.task }

  func invalidateCachedTemporaryCredentials() {}

  func answer() {
    let key = AWSCredentials(
      accessKey: "AKIDEXAMPLE",
      secretKey: "secret",
      sessionKey: nil,
      expiration: nil
    )
    pending.trySet(result: key)
  }
}
