import Archives
import DuckDBStore
import EventRecord
import EventStore
import Foundation
import Testing

@testable import ServerApp

@Suite struct `Amplitude's way to take events along` {
  @Test(arguments: [
    ("20261201T09", "20261201T09", 1), ("20261201T9", "20261201T10", 2),
    ("20261201T00", "20261202T00", 25), ("20251202T00", "20261202T00", 365 * 24 + 1),
  ])
  func `hours are from the first to the last, that one included`(
    first: String,
    last: String,
    count: Int
  ) throws {
    let hours = try #require(AmplitudeExportRoute.hours(first, last))
    #expect(hours.count == count)
    if first == "20261201T09" { #expect(hours.lowerBound == 1_796_115_600 / 3_600) }
  }

  @Test(
    arguments: [
      (nil, "20261201T09"), ("20261201T09", nil), ("20261201", "20261201T09"),
      ("20261201T24", "20261202T00"), ("20261301T00", "20261302T00"),
      ("20260230T00", "20260301T00"),
      ("20261201T10", "20261201T09"), ("20251130T00", "20261202T00"),
      ("2026-12-01T09", "20261201T09"),
      ("20261201T+9", "20261201T09"), ("20261201T", "20261201T09"),
    ] as [(String?, String?)]
  )
  func `what is no span of hours within a year is refused`(first: String?, last: String?) {
    #expect(AmplitudeExportRoute.hours(first, last) == nil)
  }

  @Test func `user and password come by basic authorization alone`() {
    let text = Data("key:sec:ret".utf8).base64EncodedString()
    let found = AmplitudeExportRoute.credentials("Basic \(text)")
    #expect(found?.key == "key" && found?.secret == "sec:ret")
    for other in [nil, "", "Bearer \(text)", "Basic", "Basic ???", "Basic a2V5"] {
      #expect(AmplitudeExportRoute.credentials(other) == nil)
    }
  }

  @Test func `a line has Amplitude's fields, and the event as it is`() throws {
    let line =
      #"{"project":1,"key":"00000000000000010000000000000002","plan":2,"kind":0,"test":false,"#
      + #""name":"[Amplitude] Start Session","ts":1764581400123,"corrected_ts":1764581460123,"#
      + #""received_ts":1764581461000,"seq":7,"id":"i-1","device_id":"G","user_id":"","#
      + #""session_id":"1764581400000","props":{"n":1.50},"groups":{"org":["a"]},"#
      + #""ops":{"$set":{"plan":"pro"}},"context":{"country":"Germany","os":"iOS 19"},"#
      + #""client":{"platform":"iOS","app":"4.2.0"}}"#
    let record = try #require(AmplitudeRecord(line, project: 1))
    #expect(record.receivedMs == 1_764_581_461_000)
    for field in [
      #""event_type":"session_start""#, #""event_time":"2025-12-01 09:31:00.123000""#,
      #""client_event_time":"2025-12-01 09:30:00.123000""#,
      #""client_upload_time":"2025-12-01 09:30:01.000000""#,
      #""server_upload_time":"2025-12-01 09:31:01.000000""#, #""$insert_id":"i-1""#,
      #""uuid":"00000000000000010000000000000002""#, #""event_properties":{"n":1.50}"#,
      #""user_properties":{"plan":"pro"}"#, #""groups":{"org":["a"]}"#, #""user_id":null"#,
      #""device_id":"G""#, #""session_id":1764581400000"#, #""event_id":7"#,
      #""country":"Germany""#, #""platform":"iOS""#, #""os_name":"iOS 19""#,
      #""version_name":"4.2.0""#, #""city":null"#, #""data":{"footfall":\#(line)}"#,
    ] { #expect(record.json.contains(field), "\(field)") }
    #expect(AmplitudeRecord("{}", project: 1) == nil)
    #expect(AmplitudeRecord("nonsense", project: 1) == nil)
  }
}
