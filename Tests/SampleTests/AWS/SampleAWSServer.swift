import FootfallTesting
import Foundation

/// A server that answers as AWS's services do and takes everything, and the folder of an app with its
/// configuration file, for one sample in a process of its own.
struct SampleAWSServer {
  let server: LoopbackServer
  private let folder: String

  static let appID = "5a4d3c2b1a0f5a4d3c2b1a0f5a4d3c2b"

  /// Starts a server, or names one that nobody listens for; the process works in the app's folder from
  /// now on, in which the file says where the server is.
  ///
  /// `sections` are those the file has beside the usual ones.
  init(isReachable: Bool = true, sections: [String: Any] = [:]) throws {
    server = try LoopbackServer { Self.answer($0) }
    if !isReachable { server.stop() }
    folder = FileManager.default.temporaryDirectory.path + "/footfall-aws-sample-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let usual: [String: Any] = [
      "PinpointAnalytics": ["Default": ["AppId": Self.appID, "Region": "eu-north-1"]],
      "PinpointTargeting": ["Default": ["Region": "eu-north-1"]],
      "Footfall": [
        "Endpoint": server.url(""), "AccessKey": "AKIDSAMPLE", "SecretKey": "sample-secret",
      ],
    ]
    let file = try JSONSerialization.data(
      withJSONObject: usual.merging(sections) { _, other in other }
    )
    try file.write(to: URL(fileURLWithPath: "\(folder)/awsconfiguration.json"))
    guard FileManager.default.changeCurrentDirectoryPath(folder) else {
      throw CocoaError(.fileNoSuchFile)
    }
    setenv("XDG_STATE_HOME", folder, 1)
  }

  /// Takes the folder away.
  func end() throws {
    server.stop()
    guard FileManager.default.changeCurrentDirectoryPath("/") else {
      throw CocoaError(.fileNoSuchFile)
    }
    try FileManager.default.removeItem(atPath: folder)
  }

  // MARK: What it got

  /// The events of all requests, each an object as it was sent.
  var events: [JSONFields] {
    get throws {
      try requests(.post).flatMap { request in
        let body = try Self.object(request.body)
        let items = body["BatchItem"] as? [String: [String: Any]] ?? [:]
        return items.values.flatMap { item in
          (item["Events"] as? [String: [String: Any]] ?? [:]).values.map { JSONFields($0) }
        }
      }
    }
  }

  /// Those of a type.
  func events(_ type: String) throws -> [JSONFields] {
    try events.filter { $0.text("EventType") == type }
  }

  /// The endpoint of each update, and the id it was sent to.
  var endpoints: [(id: String, fields: JSONFields)] {
    get throws {
      try requests(.put).map { request in
        let id = request.path.split(separator: "/").last.map(String.init) ?? ""
        return (id, try JSONFields.object(request.body))
      }
    }
  }

  /// The requests of a service's operation for streams.
  func batches(_ operation: String) -> [SampleBatch] {
    server.requests
      .filter { $0.headers["x-amz-target"]?.hasSuffix("." + operation) ?? false }
      .map { SampleBatch($0) }
  }

  /// Whether a request that is not signed with the file's key came.
  var gotStrangers: Bool {
    server.requests.contains {
      !($0.headers["authorization"]?.contains("Credential=AKIDSAMPLE/") ?? false)
    }
  }

  private enum Method: String {
    case post = "POST"
    case put = "PUT"
  }

  private func requests(_ method: Method) -> [LoopbackRequest] {
    let path = "/v1/apps/\(Self.appID)/"
    return server.requests.filter { $0.method == method.rawValue && $0.path.hasPrefix(path) }
  }

  // MARK: What it answers

  private static func answer(_ request: LoopbackRequest) -> LoopbackAnswer {
    let batch = SampleBatch(request)
    switch request.headers["x-amz-target"]?.split(separator: ".").last {
    case "PutRecords"?:
      let taken = batch.texts.indices.map {
        #"{"SequenceNumber":"\#($0)","ShardId":"shardId-000000000000"}"#
      }
      let list = taken.joined(separator: ",")
      return .status(200, #"{"FailedRecordCount":0,"Records":[\#(list)]}"#)
    case "PutRecordBatch"?:
      let list = batch.texts.indices.map { #"{"RecordId":"\#($0)"}"# }.joined(separator: ",")
      return .status(200, #"{"FailedPutCount":0,"RequestResponses":[\#(list)]}"#)
    default:
      guard request.method == "POST" else {
        return .status(202, #"{"Message":"Accepted","RequestID":"sample"}"#)
      }
      return .status(202, accepted(request.body))
    }
  }

  /// That every event of a body was accepted.
  private static func accepted(_ body: [UInt8]) -> String {
    do {
      let items = try object(body)["BatchItem"] as? [String: [String: Any]] ?? [:]
      let results = items.mapValues { item in
        let events = item["Events"] as? [String: Any] ?? [:]
        return ["EventsItemResponse": events.mapValues { _ in ["StatusCode": 202] }]
      }
      return JSONFields.json(["Results": results])
    } catch {
      return "{}"
    }
  }

  private static func object(_ body: [UInt8]) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
  }
}

/// A request with records for a stream, as its service reads it.
struct SampleBatch {
  private(set) var stream = ""
  /// What each record says.
  private(set) var texts: [String] = []

  init(_ request: LoopbackRequest) {
    do {
      let object = try JSONFields.object(request.body)
      let isKinesis = object.keys.contains("StreamName")
      stream = object.text(isKinesis ? "StreamName" : "DeliveryStreamName")
      texts = try JSONFields.list("Records", in: request.body).map { record in
        let data = Data(base64Encoded: record.text("Data")) ?? Data()
        return String(decoding: data, as: UTF8.self)
      }
    } catch {
      // A request of another kind has none.
    }
  }
}
