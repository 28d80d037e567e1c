import EventRecord
import Foundation
import Testing

@testable import Wire

/// The recorded requests in `Fixtures/wire`, beside each the answer and the events they decode to.
///
/// `RECORD=1` rewrites what they decode to; the difference is reviewed.
enum Fixtures {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("../../../Fixtures/wire").standardized

  static let native = [
    "native/example.json", "native/compact.json", "native/simpledatalogs.json",
    "native/lines.ndjson", "native/sdk.json", "native/simpledatalogs-sdk.json",
  ]
  static let amplitude = [
    "amplitude/python-1.3.0-track.json", "amplitude/python-1.3.0-identify.json",
    "amplitude/python-1.3.0-revenue.json", "amplitude/python-1.3.0-min-id-length.json",
    "amplitude/python-1.3.0-plain.json", "amplitude/swift-1.18.6-nulls.json",
    "amplitude/swift-1.18.6-revenue.json", "amplitude/sdk.json",
  ]

  static let phase = [
    "phase/sdk.json", "phase/reconstructed-batch.json", "phase/reconstructed-device.json",
    "phase/reconstructed-session.json", "phase/reconstructed-event.json",
    "phase/reconstructed-ping.json",
  ]

  static let pinpoint = ["pinpoint/boto3-1.44.8-put-events.json"]
  static let streams = [
    "kinesis/boto3-1.44.8-put-records.json", "kinesis/boto3-1.44.8-put-record.json",
    "kinesis/reconstructed-put-records.json", "firehose/boto3-1.44.8-put-record-batch.json",
    "firehose/boto3-1.44.8-put-record.json", "firehose/reconstructed-put-record-batch.json",
  ]

  static func request(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appendingPathComponent(name)))
  }

  static func decode(_ name: String) throws -> Decoded {
    let body = try request(name)
    if name.hasPrefix("pinpoint/") { return try Decoded.pinpoint(body) }
    if streams.contains(name) { return try Decoded.stream(body, name: name) }
    if name.hasPrefix("phase/") { return try Decoded.phase(body, name: name) }
    guard name.hasPrefix("native/") else { return try Decoded.amplitude(body) }
    return try Decoded.native(
      body,
      contentType: name.hasSuffix("ndjson") ? "application/x-ndjson" : "application/json"
    )
  }
}

@Suite struct `Golden requests` {
  @Test(
    arguments: Fixtures.native + Fixtures.amplitude + Fixtures.phase + Fixtures.pinpoint
      + Fixtures.streams
  )
  func `a recorded request decodes to what was reviewed`(name: String) throws {
    let found = try Fixtures.decode(name).reviewText
    let url = Fixtures.folder.appendingPathComponent(name + ".decoded.txt")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try Data(found.utf8).write(to: url)
    }
    #expect(found == String(decoding: try Data(contentsOf: url), as: UTF8.self))
  }
}

extension Decoded {
  /// Everything of the decoded request, a field a line.
  fileprivate var reviewText: String {
    var lines = ["\(status) \(answer)"]
    if let header {
      lines.append("source \(header.source), project \(header.project)")
      lines.append("received \(header.receivedAtMs), correction \(header.clockCorrectionMs)")
      lines.append("sent \(header.sentAtMs.map(String.init) ?? "not said")")
    }
    lines.append("client \(client)")
    for event in events {
      lines += ["", "\(event.kind) \(event.name.debugDescription)"]
      lines.append("time \(event.timestampMs), sequence \(event.sequence)")
      lines.append("flags \(event.flags.rawValue), key \(event.key)")
      let fields = [
        ("id", event.id), ("device", event.deviceID), ("user", event.userID),
        ("session", event.sessionID), ("properties", event.properties), ("groups", event.groups),
        ("operations", event.operations), ("context", event.context),
      ]
      lines += fields.filter { !$0.1.isEmpty }.map { "\($0) \($1)" }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
