import Catalog
import EndpointStore
import EventRecord
import Foundation
import FootfallJournal
import FootfallSystem
import FootfallTesting
import HTTPServing
import IngestLog
import SigV4
import Testing
import Wire

@testable import Ingest

/// A collector that clients of Kinesis, Firehose and Pinpoint send to, with a catalogue of its own.
struct StreamFixture {
  static let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
  /// 2 November 2026, 09:30:15 UTC, when the requests on file were signed.
  static let now: Int64 = 1_793_611_815_000

  let folder = NSTemporaryDirectory() + "footfall-streams-" + UUID().uuidString
  let clock = Lock(Self.now)
  /// Users whose events were erased.
  let erased = Lock(Set<String>())
  let files = MemoryFiles()
  let catalog: Catalog
  let usage = UsageMeter()
  let project: UInt32
  private(set) var log: IngestLog
  private(set) var routes: IngestRoutes
  private(set) var router = Router()
  var key = "AKIDEXAMPLE"

  init(settings: IngestSettings = IngestSettings()) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    catalog = try Catalog(path: folder + "/catalogue.sqlite")
    project = try catalog.createProject(name: "Streams").id
    _ = try catalog.adoptAWSKey(project: project, id: key, secret: Self.secret)
    log = try IngestLog(folder: "/log", files: files, keepsItself: false)
    routes = try Self.routes(catalog, log, clock, erased, settings, folder, usage)
    routes.install(in: &router)
  }

  /// One whose key may do this with the stream `mystream` alone, beside which there is `other`.
  static func limited(
    to action: String,
    _ kind: RecordStream.Kind
  ) throws -> StreamFixture {
    var fixture = try StreamFixture()
    for name in ["mystream", "other"] {
      try fixture.catalog.createStream(name, kind: kind, project: fixture.project)
    }
    let path =
      kind == .firehose
      ? "firehose:us-west-2:123456789012:deliverystream" : "kinesis:us-west-2:123456789012:stream"
    fixture.key = "AKIDLIMITED"
    _ = try fixture.catalog.adoptAWSKey(
      project: fixture.project,
      id: fixture.key,
      secret: Self.secret,
      rights: AWSRights(actions: [action], resources: ["arn:aws:\(path)/mystream"])
    )
    return fixture
  }

  /// Hands out every record of the log.
  func readLog(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    _ = try log.read(from: .start) { bytes, _ in
      do { try body(bytes) } catch { Issue.record("\(error)") }
    }
  }

  private static func routes(
    _ catalog: Catalog,
    _ log: IngestLog,
    _ clock: Lock<Int64>,
    _ erased: Lock<Set<String>>,
    _ settings: IngestSettings,
    _ folder: String,
    _ usage: UsageMeter
  ) throws -> IngestRoutes {
    IngestRoutes(
      catalog: catalog,
      log: log,
      state: try StateStore(path: ":memory:"),
      endpoints: try EndpointStore(
        path: folder + "/endpoints.sqlite",
        nowMs: { clock.withLock { $0 } }
      ),
      settings: settings,
      usage: usage,
      erased: {
        let users = erased.withLock { $0 }
        return StreamErased { event, _ in users.contains(event.record.userID) }
      },
      nowMs: { clock.withLock { $0 } }
    )
  }

  /// Stops and starts the collector on the same disk.
  mutating func restart(cuttingPower: Bool = false) throws {
    if cuttingPower { files.losePower() } else { log.close() }
    log = try IngestLog(folder: "/log", files: files, keepsItself: false)
    routes = try Self.routes(catalog, log, clock, erased, IngestSettings(), folder, usage)
    router = Router()
    routes.install(in: &router)
  }

  func close() {
    log.close()
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      Issue.record("the test's folder could not be removed: \(error)")
    }
  }

  /// Signs a call as boto3 does, and sends it.
  func call(
    _ operation: String,
    _ body: String,
    _ service: AWSService = .kinesis,
    target: String? = nil
  ) async -> StreamAnswer {
    await call(operation, Array(body.utf8), service, target: target)
  }

  /// The same with bytes.
  func call(
    _ operation: String,
    _ body: [UInt8],
    _ service: AWSService = .kinesis,
    target: String? = nil
  ) async -> StreamAnswer {
    let version = service == .firehose ? "Firehose_20150804." : "Kinesis_20131202."
    let signer = RequestSigner(
      accessKeyID: key,
      secret: Self.secret,
      service: service.rawValue
    )
    let fields = [
      "content-type": "application/x-amz-json-1.1", "host": "127.0.0.1:4001",
      "x-amz-target": target ?? version + operation,
    ]
    let headers = signer.signed(fields, body: body, atMs: clock.withLock { $0 })
      .map { Header($0.name, $0.value) }
    return StreamAnswer(await TestClient(router).post("/", headers: headers, body: body))
  }

  /// A body of `PutRecords` with texts under keys.
  static func records(
    _ records: [(data: String, key: String)],
    stream: String = "clicks"
  ) -> String {
    let entries = records.map {
      #"{"Data":"\#(Data($0.data.utf8).base64EncodedString())","PartitionKey":"\#($0.key)"}"#
    }
    return #"{"StreamName":"\#(stream)","Records":[\#(entries.joined(separator: ","))]}"#
  }

  /// A body of `PutRecordBatch`.
  static func batch(_ records: [[UInt8]], stream: String = "archive") -> String {
    let entries = records.map { #"{"Data":"\#(Data($0).base64EncodedString())"}"# }
    return #"{"DeliveryStreamName":"\#(stream)","Records":[\#(entries.joined(separator: ","))]}"#
  }

  /// Every record of a shard, read by one iterator after the other.
  func read(
    _ stream: String = "clicks",
    shard: Int = 0,
    from start: String = #""ShardIteratorType":"TRIM_HORIZON""#,
    limit: Int = 10_000
  ) async -> [NSDictionary] {
    let asked = await call(
      "GetShardIterator",
      #"{"StreamName":"\#(stream)","ShardId":"\#(StreamShards.id(shard))",\#(start)}"#
    )
    var iterator = asked.text("ShardIterator")
    var found: [NSDictionary] = []
    for _ in 0..<1_000 {
      let answer = await call("GetRecords", #"{"ShardIterator":"\#(iterator)","Limit":\#(limit)}"#)
      let records = answer.list("Records")
      found += records
      iterator = answer.text("NextShardIterator")
      if records.isEmpty, answer.number("MillisBehindLatest") == 0 { return found }
    }
    Issue.record("reading does not end")
    return found
  }

  static func text(_ record: NSDictionary) -> String {
    let data = Data(base64Encoded: record["Data"] as? String ?? "") ?? Data()
    return String(decoding: data, as: UTF8.self)
  }
}

/// An answer as a client of AWS reads it.
struct StreamAnswer {
  let response: Response
  let object: NSDictionary

  init(_ response: Response) {
    self.response = response
    let object = try? JSONSerialization.jsonObject(with: Data(response.body)) as? NSDictionary
    self.object = object ?? [:]
  }

  var status: Int { response.status }
  /// The name of the error, which must be in the body and the header alike.
  var error: String? {
    let name = object["__type"] as? String
    return name == response.header("x-amzn-ErrorType") ? name : "two names"
  }
  var message: String { text("message") }

  func text(_ key: String) -> String { object[key] as? String ?? "" }
  func number(_ key: String) -> Int? { object[key] as? Int }
  func list(_ key: String) -> [NSDictionary] { object[key] as? [NSDictionary] ?? [] }
}
