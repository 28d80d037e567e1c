import FootfallAWS
import FootfallCore
import FootfallPlatform
import Foundation

/// The two services that take records of streams, and how they are spoken to.
///
/// Source: `aws.md` sections 1.7, 1.8 and 3.6.
enum StreamService: Sendable, Hashable {
  /// Kinesis Data Streams' PutRecords.
  case kinesis
  /// Firehose's PutRecordBatch.
  case firehose

  /// The service that requests are signed for.
  var type: AWSServiceType { self == .kinesis ? .Kinesis : .Firehose }

  private var target: String {
    switch self {
    case .kinesis: "Kinesis_20131202.PutRecords"
    case .firehose: "Firehose_20150804.PutRecordBatch"
    }
  }

  /// The request that puts records into a stream, unsigned.
  func request(
    _ records: [StreamRecord],
    stream: String,
    address: String,
    timeoutSeconds: Double
  ) -> UploadRequest {
    UploadRequest(
      url: address + "/",
      headers: [("Content-Type", "application/x-amz-json-1.1"), ("X-Amz-Target", target)],
      body: body(records, stream: stream),
      timeoutSeconds: timeoutSeconds
    )
  }

  private func body(_ records: [StreamRecord], stream: String) -> [UInt8] {
    var body = JSONBuffer(capacity: records.reduce(256) { $0 + $1.bytes * 3 / 2 + 64 })
    body.append(self == .kinesis ? "{\"StreamName\":" : "{\"DeliveryStreamName\":")
    body.append(quoted: stream)
    body.append(",\"Records\":[")
    for (place, record) in records.enumerated() {
      if place > 0 { body.append(UInt8(ascii: ",")) }
      body.append("{\"Data\":")
      body.append(quoted: Data(record.data).base64EncodedString())
      if self == .kinesis {
        body.append(",\"PartitionKey\":")
        body.append(quoted: record.partitionKey)
      }
      body.append(UInt8(ascii: "}"))
    }
    body.append("]}")
    return body.bytes
  }

  /// What an answer means for so many records, of one stream and in the order they were sent.
  func answer(_ response: UploadResponse, records: Int) -> BatchAnswer {
    switch response {
    case .failed(let failure): return .unavailable(.of(failure))
    case .answered(200, _, let body):
      return items(body, records: records).map { .items($0) }
        ?? .unavailable(.service("", "The answer does not tell of all \(records) records."))
    case .answered(let status, _, _):
      let name = ServiceErrorName(response)
      let problem = BatchProblem.service(
        name?.text ?? "",
        name.map { $0.message.isEmpty ? "The answer's status is \(status)." : $0.message } ?? ""
      )
      return Self.answer(status: status, name: name?.text ?? "", problem)
    }
  }

  private static func answer(status: Int, name: String, _ problem: BatchProblem) -> BatchAnswer {
    if malformed.contains(name) || status == 413 { return .malformed(problem) }
    if throttled.contains(name) || status == 429 || status >= 500 { return .unavailable(problem) }
    return (400..<500).contains(status) ? .streamRefused(problem) : .unavailable(problem)
  }

  private func items(_ body: [UInt8], records: Int) -> [BatchAnswer.Item]? {
    let answer: [String: Any]?
    do {
      answer = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    } catch {
      // A page of some proxy: it promises nothing.
      return nil
    }
    let key = self == .kinesis ? "Records" : "RequestResponses"
    guard let items = answer?[key] as? [[String: Any]], items.count == records else { return nil }
    return items.map { item in
      guard let code = item["ErrorCode"] as? String, !code.isEmpty else { return .delivered }
      let message = item["ErrorMessage"] as? String ?? ""
      let problem = BatchProblem.service(code, message)
      return Self.passing.contains(code) ? .again(problem) : .invalid(problem)
    }
  }

  /// What a record may be refused for and taken later.
  private static let passing: Set<String> = [
    "ProvisionedThroughputExceededException", "InternalFailure", "InternalFailureException",
    "ServiceUnavailable", "ServiceUnavailableException", "Throttling", "ThrottlingException",
  ]

  /// What a request is refused for because of what is in it.
  private static let malformed: Set<String> = [
    "ValidationException", "InvalidArgumentException", "SerializationException",
  ]

  /// What a request is refused for that may be taken later.
  static let throttled: Set<String> = [
    "ProvisionedThroughputExceededException", "ThrottlingException", "Throttling",
    "LimitExceededException", "ServiceUnavailableException", "ServiceUnavailable",
    "InternalFailure", "InternalFailureException",
  ]
}

/// What an answer means for the records of a batch.
enum BatchAnswer: Sendable, Hashable {
  /// What became of one record.
  enum Item: Sendable, Hashable {
    case delivered
    /// It was not taken this time.
    case again(BatchProblem)
    /// It never will be.
    case invalid(BatchProblem)
  }

  /// Each record has its own answer, in order.
  case items([Item])
  /// Something in the request is not taken; which record it is, is not said.
  case malformed(BatchProblem)
  /// Nothing for this stream is taken: it is missing, or the key may not write to it.
  case streamRefused(BatchProblem)
  /// Nothing is taken for now; everything is kept.
  case unavailable(BatchProblem)
}

/// Why records were not taken.
enum BatchProblem: Sendable, Hashable {
  /// The service said so: its name for it, and its words.
  case service(String, String)
  /// The service could not be reached, or did not answer in time.
  case unreachable(String, timedOut: Bool)
  /// There is nothing to sign with.
  case noCredentials

  static func of(_ failure: TransportFailure) -> BatchProblem {
    switch failure {
    case .offline(SigningTransport.noCredentials): .noCredentials
    case .timedOut: .unreachable("\(failure)", timedOut: true)
    case .offline, .cancelled, .tls, .other: .unreachable("\(failure)", timedOut: false)
    }
  }

  /// Whether no other stream would fare better.
  var concernsAll: Bool {
    if case .service = self { false } else { true }
  }
}
