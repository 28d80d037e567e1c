import Catalog
import Foundation

extension Collector {
  /// `PutRecords` of Kinesis, signed now: 50 records that are events, each as the SDK sends it, under keys
  /// of 20 people and over four shards.
  func putRecords() throws -> Wrk.Load {
    try catalog.createStream("bench", kind: .kinesis, project: project, shards: 4)
    let records = (0..<50).map { index in
      let data = Data(SampleBatch.event(index).utf8).base64EncodedString()
      return "{\"Data\":\"\(data)\",\"PartitionKey\":\"user-\(index % 20)\"}"
    }
    let body = "{\"StreamName\":\"bench\",\"Records\":[\(records.joined(separator: ","))]}"
    return signed(
      "kinesis",
      path: "/",
      [
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "Kinesis_20131202.PutRecords",
      ],
      Array(body.utf8)
    )
  }
}
