import Foundation

/// A request of 50 events by one of the protocols whose cost is measured.
enum IngestLoad: String, CaseIterable {
  case json, gzip, amplitude, pinpoint, kinesis

  /// The request; an AWS client's is signed now, which is good for 15 minutes.
  func request(to collector: Collector) throws -> Wrk.Load {
    switch self {
    case .json: .native(SampleBatch.json(), collector.key)
    case .gzip: .native(try Gzip.compress(SampleBatch.json()), collector.key)
    case .amplitude:
      Wrk.Load(path: "/2/httpapi", body: SampleBatch.amplitude(key: collector.amplitudeKey))
    case .pinpoint: collector.putEvents(SampleBatch.pinpoint())
    case .kinesis: try collector.putRecords()
    }
  }
}

extension Wrk.Load {
  /// The bytes of the request as wrk sends them.
  var bytes: [UInt8] {
    var head = "POST \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    return Array((head + "\r\n").utf8) + body
  }
}
