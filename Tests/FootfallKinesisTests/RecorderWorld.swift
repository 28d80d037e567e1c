import FootfallAWS
import FootfallKinesis
import FootfallPlatform
import FootfallSystem
import FootfallTesting
import Foundation

/// A record as a service reads it.
struct SentRecord: Sendable, Hashable {
  var data: [UInt8]
  var partitionKey: String?
  var text: String { String(decoding: data, as: UTF8.self) }
}

/// A request as a service reads it.
struct SentBatch: Sendable {
  let target: String
  let stream: String
  let records: [SentRecord]
  let members: Set<String>

  init(_ request: UploadRequest) {
    target = request.headers.first { $0.name == "X-Amz-Target" }?.value ?? ""
    let body = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
    let object = body ?? [:]
    members = Set(object.keys)
    stream = object["StreamName"] as? String ?? object["DeliveryStreamName"] as? String ?? ""
    records = (object["Records"] as? [[String: Any]] ?? []).map { record in
      SentRecord(
        data: Array(Data(base64Encoded: record["Data"] as? String ?? "") ?? Data()),
        partitionKey: record["PartitionKey"] as? String
      )
    }
  }

  /// A batch for Kinesis of so many records, to make the answer to one beforehand.
  init(records count: Int) {
    (target, stream, members) = ("Kinesis_20131202.PutRecords", "clicks", [])
    records = (0..<count).map { _ in SentRecord(data: []) }
  }

  var texts: [String] { records.map(\.text) }
}

/// Recorders and the services they send to, on a clock that a test moves.
struct RecorderWorld {
  /// What a service answers to a batch: nil to take all of it, or else the errors by place.
  typealias Judge = @Sendable (SentBatch) -> Answer

  enum Answer: Sendable {
    /// Everything is taken but what has an error, by its place.
    case take(failing: [Int: String] = [:])
    /// The request is refused by this name.
    case refuse(String, status: Int = 400)
    case lose(TransportFailure)
    /// This is the answer's body.
    case say(String)
  }

  let clock: ManualClock
  let files: MemoryFiles
  let transport: ScriptedTransport
  private let judge = Lock<Judge>({ _ in .take() })

  init(
    files: MemoryFiles = MemoryFiles(),
    clock: ManualClock = ManualClock(Date(timeIntervalSince1970: 1_793_611_815))
  ) {
    self.files = files
    self.clock = clock
    let judge = judge
    transport = ScriptedTransport(
      otherwise: .make { request in
        let batch = SentBatch(request)
        return Self.response(judge.withLock { $0 }(batch), to: batch)
      }
    )
  }

  /// From now on the service judges so.
  func judge(_ next: @escaping Judge) {
    judge.withLock { $0 = next }
  }

  static func response(_ answer: Answer, to batch: SentBatch) -> UploadResponse {
    switch answer {
    case .lose(let failure): return .failed(failure)
    case .say(let body):
      return .answered(status: 200, headers: [:], body: Array(body.utf8))
    case .refuse(let name, let status):
      let body = #"{"__type":"\#(name)","message":"\#(batch.stream) is refused."}"#
      return .answered(status: status, headers: [:], body: Array(body.utf8))
    case .take(let failing):
      return .answered(status: 200, headers: [:], body: body(batch, failing))
    }
  }

  private static func body(_ batch: SentBatch, _ failing: [Int: String]) -> [UInt8] {
    let isKinesis = batch.target.hasPrefix("Kinesis")
    let items = batch.records.indices.map { place in
      if let code = failing[place] { return #"{"ErrorCode":"\#(code)","ErrorMessage":"m"}"# }
      return isKinesis
        ? #"{"SequenceNumber":"\#(place)","ShardId":"shardId-000000000000"}"#
        : #"{"RecordId":"\#(place)"}"#
    }
    let list = items.joined(separator: ",")
    return Array(
      (isKinesis
        ? #"{"FailedRecordCount":\#(failing.count),"Records":[\#(list)]}"#
        : #"{"FailedPutCount":\#(failing.count),"RequestResponses":[\#(list)]}"#).utf8
    )
  }

  var environment: Environment {
    .test(clock: clock, transport: transport, files: files, random: .another())
  }

  static let credentials = AWSStaticCredentialsProvider(
    accessKey: "AKIDEXAMPLE",
    secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  )

  func configuration(
    _ provider: (any AWSCredentialsProvider)? = RecorderWorld.credentials,
    resends: UInt32 = 0
  ) -> AWSServiceConfiguration? {
    let configuration = AWSServiceConfiguration(region: .USEast1, credentialsProvider: provider)
    configuration?.maxRetryCount = resends
    return configuration
  }

  /// A recorder for Kinesis that sends nothing again by itself unless told otherwise.
  func kinesis(
    _ configuration: AWSServiceConfiguration? = nil,
    key: String = "default"
  ) -> AWSKinesisRecorder {
    AWSKinesisRecorder(configuration ?? self.configuration(), key: key, in: environment)
  }

  func firehose() -> AWSFirehoseRecorder {
    AWSFirehoseRecorder(configuration(), in: environment)
  }

  /// The requests so far.
  var batches: [SentBatch] { transport.requests.map(SentBatch.init) }
  /// What was sent so far, in order.
  var texts: [String] { batches.flatMap(\.texts) }
}

extension AWSAbstractKinesisRecorder {
  /// Saves texts, and waits.
  @discardableResult
  func save(_ texts: [String], in stream: String = "clicks") async -> NSError? {
    var last: (any Error)?
    for text in texts {
      last = await saveRecord(Data(text.utf8), streamName: stream).ended()
    }
    return last.map { $0 as NSError }
  }

  /// Saves records of so many bytes, each beginning with its number, and waits.
  func save(_ count: Int, bytes: Int, from first: Int = 0, in stream: String = "clicks") async {
    var tasks: [AWSTask<AnyObject>] = []
    for number in first..<first + count {
      let text = String(format: "%06d", number)
      let data = Data(text.utf8) + Data(repeating: UInt8(ascii: "x"), count: bytes - 6)
      tasks.append(saveRecord(data, streamName: stream, partitionKey: "k"))
    }
    _ = await AWSTask<AnyObject>(forCompletionOfAllTasks: tasks).ended()
  }

  @discardableResult
  func submit() async -> NSError? { await submitAllRecords().ended().map { $0 as NSError } }
}

/// Numbers of records, from their first six bytes.
func numbers(_ batches: [SentBatch]) -> [Int] {
  batches.flatMap { $0.texts.compactMap { Int($0.prefix(6)) } }
}
