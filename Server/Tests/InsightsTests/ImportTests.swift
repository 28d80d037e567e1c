import DuckDBStore
import EventRecord
import EventStore
import Foundation
import Insights
import Testing

@Suite struct `Files of strangers` {
  /// What an import of a text came to.
  private struct Outcome {
    var result = ImportResult()
    var refused: [ImportRefusal] = []
    let duck: TestStore

    func events() throws -> [StoredEvent] { try RecentEvents(project: 1).run(on: duck.store) }
  }

  private func add(
    _ bytes: [UInt8],
    _ format: TransferFormat = .ndjson,
    latestMs: Int64 = .max,
    to duck: TestStore? = nil,
    mark: String? = nil,
    progress: (ImportResult) throws -> Void = { _ in }
  ) throws -> Outcome {
    let path = NSTemporaryDirectory() + "footfall-import-" + UUID().uuidString
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) } }
    var outcome = Outcome(duck: try duck ?? TestStore())
    var request = ImportRequest(path, format, project: 1)
    request.latestMs = latestMs
    request.mark = mark
    var refused: [ImportRefusal] = []
    outcome.result = try outcome.duck.store.importEvents(
      request,
      cancellation: nil,
      refused: { refused.append($0) },
      progress: progress
    )
    outcome.refused = refused
    return outcome
  }

  private func add(
    _ text: String,
    _ format: TransferFormat = .ndjson,
    latestMs: Int64 = .max
  ) throws -> Outcome { try add(Array(text.utf8), format, latestMs: latestMs) }

  private static let good = #"{"name":"Opened","ts":1764581400123}"#

  @Test(arguments: [
    ("nonsense", "it is no JSON object"), ("[1]", "it is no JSON object"),
    (#"{"name":"A","ts":1"#, "it is no JSON object"),
    (#"{"name":"A","ts":01}"#, "it is no JSON object"),
    (#"{"name":"A","ts":+1}"#, "it is no JSON object"),
    (#"{"name":"A","ts":1e999}"#, "it is no JSON object"),
    (#"{"name":"\x","ts":1}"#, "it is no JSON object"),
    ("{\"name\":\"A\u{1}\",\"ts\":1}", "it is no JSON object"),
    (#"{"ts":1}"#, "it has no name"), (#"{"name":"","ts":1}"#, "its name is no text, or empty"),
    (#"{"name":7,"ts":1}"#, "its name is no text, or empty"),
    (#"{"name":"A"}"#, "it has no ts"), (#"{"name":"A","ts":null}"#, "it has no ts"),
    (#"{"name":"A","ts":-1}"#, "ts lies before 1970"),
    (#"{"name":"A","ts":"today"}"#, "ts is no whole number"),
    (#"{"name":"A","ts":1.5}"#, "ts is no whole number"),
    (#"{"name":"A","ts":253402300800000}"#, "ts lies too far in the future"),
    (#"{"name":"A","ts":1,"received_ts":-5}"#, "received_ts lies before 1970"),
    (#"{"name":"A","ts":1,"test":"maybe"}"#, "test is neither true nor false"),
    (#"{"name":"A","ts":1,"props":[1]}"#, "props is no JSON object"),
    (#"{"name":"A","ts":1,"props":"{oops}"}"#, "props is no JSON object"),
    (#"{"name":"A","ts":1,"user_id":{}}"#, "user_id is no text"),
  ])
  func `a line that is no event is told with its number, and all others are there`(
    line: String,
    reason: String
  ) throws {
    let outcome = try add(Self.good + "\n\n" + line + "\n" + #"{"name":"B","ts":2}"#)
    #expect(outcome.refused == [ImportRefusal(line: 3, reason: reason)])
    #expect(outcome.result.unreadable == 1 && outcome.result.stored == 2)
    #expect(try outcome.events().map(\.name).sorted() == ["B", "Opened"])
  }

  @Test func `names and ids are as long as a collector takes them, and no longer`() throws {
    func text(_ count: Int) -> String { String(repeating: "é", count: count) }
    let outcome = try add(
      """
      {"name":"\(text(1_024))","ts":1}
      {"name":"\(text(1_025))","ts":1}
      {"name":"A","ts":1,"device_id":"\(text(512))"}
      {"name":"A","ts":1,"device_id":"\(text(513))"}
      """
    )
    #expect(outcome.result.stored == 2)
    #expect(
      outcome.refused.map(\.description) == [
        "line 2: its name is longer than 1024 characters",
        "line 4: device_id is longer than 1024 bytes",
      ]
    )
  }

  @Test func `what is not UTF-8, and what is far too long, costs only its own line`() throws {
    var bytes = Array((Self.good + "\n{\"name\":\"").utf8)
    bytes += [0xff, 0xfe] + Array("\",\"ts\":1}\n{\"name\":\"".utf8)
    bytes += Array(repeating: UInt8(ascii: "x"), count: 4 << 20) + Array("\",\"ts\":1}\n".utf8)
    bytes += Array(#"{"name":"B","ts":2}"#.utf8)
    let outcome = try add(bytes)
    #expect(outcome.refused.map(\.line) == [2, 3])
    #expect(outcome.refused.first?.reason == "it is not UTF-8")
    #expect(outcome.result.stored == 2)
  }

  @Test func `the future begins a day after now`() throws {
    let outcome = try add(
      #"{"name":"A","ts":1000}"# + "\n" + #"{"name":"B","ts":1001}"#,
      latestMs: 1_000
    )
    #expect(outcome.refused.map(\.reason) == ["ts lies too far in the future"])
    #expect(outcome.result.stored == 1)
  }

  /// A phone's clock may be anywhere; what a collector took of it is judged by the collector's own.
  @Test(arguments: [
    (#""corrected_ts":900,"received_ts":900"#, 900, 900), (#""corrected_ts":900"#, 900, 900),
    (#""received_ts":900"#, 900, 900), (#""corrected_ts":-5,"received_ts":900"#, -5, 900),
  ])
  func `an event that was taken once is judged by when that was, not by its client's clock`(
    fields: String,
    correctedMs: Int64,
    receivedMs: Int64
  ) throws {
    let outcome = try add(#"{"name":"A","ts":4000000000000,\#(fields)}"#, latestMs: 1_000)
    #expect(outcome.refused.isEmpty && outcome.result.stored == 1)
    let row = try #require(
      try outcome.duck.store.rows(
        SQL(
          """
          SELECT epoch_ms(ts::TIMESTAMP), epoch_ms(corrected_at::TIMESTAMP),
            epoch_ms(received_at::TIMESTAMP) FROM events
          """
        )
      ).first
    )
    #expect(try (0...2).map(row.integer) == [4_000_000_000_000, correctedMs, receivedMs])
  }

  @Test(arguments: [
    (#""corrected_ts":1001,"received_ts":900"#, "corrected_ts lies too far in the future"),
    (#""received_ts":1001"#, "received_ts lies too far in the future"),
    (#""corrected_ts":-62135596800001"#, "corrected_ts lies too far in the past"),
  ])
  func `what no collector can have written is refused`(fields: String, reason: String) throws {
    let outcome = try add(#"{"name":"A","ts":1,\#(fields)}"#, latestMs: 1_000)
    #expect(outcome.refused.map(\.reason) == [reason])
  }

  private struct Interrupted: Error {}

  @Test func `an import that is gone on with tells what became of all its lines`() throws {
    let duck = try TestStore()
    _ = try add(Array(#"{"name":"A","ts":1,"id":"7"}"#.utf8), to: duck)
    let lines = (0..<45_000).map { #"{"name":"A","ts":1,"id":"\#($0)"}"# }
    let text = Array((["{}"] + lines + ["nonsense"]).joined(separator: "\n").utf8)
    // Twice it stops in its middle, each time a little further.
    for stop in [0.1, 0.5] {
      #expect(throws: Interrupted.self) {
        try add(text, to: duck, mark: "job 1") { result in
          if result.fraction ?? 0 > stop { throw Interrupted() }
        }
      }
    }
    let whole = try add(text, to: duck, mark: "job 1")
    #expect(whole.result.stored == 44_999 && whole.result.duplicates == 1)
    #expect(whole.result.unreadable == 2 && whole.refused.map(\.line) == [1, 45_002])
    #expect(try duck.store.rows(SQL("SELECT count(*) FROM events")).first?.integer(0) == 45_000)
    // One that was done, and did not come to say so, tells the same; another one begins anew.
    #expect(try add(text, to: duck, mark: "job 1").result == whole.result)
    for mark in ["job 2", nil] {
      let again = try add(text, to: duck, mark: mark)
      #expect(again.result.stored == 0 && again.result.duplicates == 45_000)
    }
  }

  @Test func `properties stay as they are written, digits and all`() throws {
    let props = #"{"z":12345678901234567890,"a":1.50,"e":"é\n","n":{"b":[1, 2]}}"#
    let outcome = try add(#"{"name":"A","ts":1,"user_id":42,"props":"# + props + "}")
    let event = try #require(try outcome.events().first)
    #expect(event.properties == props)
    #expect(event.userID == "42")
  }

  /// As a collector takes it: whoever reads a name finds one value.
  @Test(arguments: [
    (#"{"a":1,"a":2}"#, #"{"a":2}"#), (#"{"a":1,"b":2,"a":3}"#, #"{"b":2,"a":3}"#),
    (#"{"a":1, "a" : 2,"a":{"b":1}}"#, #"{"a":{"b":1}}"#),
    (#"{"a":{"x":1,"x":2},"b":3,"a":4}"#, #"{"b":3,"a":4}"#),
    (#"{"b":{"x":1,"x":2}}"#, #"{"b":{"x":2}}"#),
    (#"{"l":[{"k":1,"\u006b":2},{"k":3}]}"#, #"{"l":[{"\u006b":2},{"k":3}]}"#),
    (#"{"a":"x","c":[1,{"a":2}]}"#, #"{"a":"x","c":[1,{"a":2}]}"#),
  ])
  func `of properties that are there twice the last is kept`(
    props: String,
    kept: String
  ) throws {
    #expect(PropertyValue.settled(props) == kept)
    let quoted = props.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let outcome = try add(
      #"{"name":"B","name":"A","ts":1,"props":{"a":0},"props":\#(props)}"# + "\n"
        + #"{"name":"C","ts":1,"props":"\#(quoted)"}"#
    )
    #expect(outcome.refused.isEmpty)
    let events = try outcome.events()
    #expect(events.map(\.properties) == [kept, kept])
    #expect(Set(events.map(\.name)) == ["A", "C"])
    // What the store's own reader finds and what a page reads are one.
    for event in events {
      let read = try #require(PropertyValue.members(of: event.properties))
      for (name, value) in read {
        let rows = try outcome.duck.store.rows(
          SQL(
            "SELECT json_extract(props, '$.' || $1)::VARCHAR FROM events LIMIT 1",
            binding: [.text(name)]
          )
        )
        #expect(try PropertyValue.members(of: #"{"v":\#(rows[0].text(0))}"#)?["v"] == value)
      }
    }
  }

  @Test(arguments: [
    ("PAR1....", TransferFormat.ndjson, "is a Parquet file"),
    ("[{\"name\":\"A\",\"ts\":1}]", .ndjson, "one JSON array"),
    ("name,ts\nA,1\n", .ndjson, "holds no lines of JSON"),
    ("some\nwords\n", .amplitude, "holds no lines of JSON"),
    ("", .csv, "no line that names its columns"),
    ("name,when\nA,1\n", .csv, "has no column “ts”"),
    ("name,ts,name\nA,1,B\n", .csv, "names a column twice"),
    ("name,ts\nA,1\n", .parquet, "is no Parquet file"),
    ("PAR1 and nothing else", .parquet, "cannot be read as Parquet"),
  ])
  func `a file of another kind adds nothing and says what to do`(
    text: String,
    format: TransferFormat,
    words: String
  ) throws {
    let problem = #expect(throws: ImportProblem.self) { try add(text, format) }
    #expect(problem?.description.contains(words) == true, "\(problem?.description ?? "")")
  }

  @Test func `a file that is not there, and one that is cut off, are named`() throws {
    let duck = try TestStore()
    for format in TransferFormat.read {
      #expect(throws: (any Error).self) {
        try duck.store.importEvents(
          ImportRequest("/no/such/file", format, project: 1),
          cancellation: nil,
          refused: { _ in },
          progress: { _ in }
        )
      }
    }
    #expect(try RecentEvents(project: 1).run(on: duck.store).isEmpty)
  }

  @Test func `CSV of other origin may have any columns in any order, and its rows one by one`()
    throws
  {
    let text = [
      "\u{feff}ts,plan_name,name,user_id,props",
      #"1764581400123,pro,Opened,john,"{""n"":1}""#,
      #"1764581400124,,"Song, ""Played"""#, #"twice",john,"#,
      "1764581400125,x,Closed,john",
      #"1764581400126,x,Clo"sed,john,"#,
      "-1,x,Closed,john,", "",
      #"1764581400127,x,=1+1,john,"#,
      #"1764581400128,x,"never ends,john,"#,
    ].joined(separator: "\r\n")
    let outcome = try add(text, .csv)
    #expect(
      outcome.refused.map(\.description) == [
        "line 5: it has 4 values for 5 columns", "line 6: a quote stands where none may",
        "line 7: ts lies before 1970",
        "line 10: a text in quotes does not end before the file does",
      ]
    )
    #expect(
      try outcome.events().map(\.name).sorted()
        == ["=1+1", "Opened", "Song, \"Played\"\r\ntwice"]
    )
    #expect(try outcome.events().contains { $0.properties == #"{"n":1}"# })
  }

  @Test func `what is written for spreadsheets holds no formula, and other CSV all texts`() throws {
    let names = ["=1+1", "+A1", "-2", "@SUM(A1)", "\tx", "\rx", "plain", "a=b"]
    let lines = names.enumerated().map { number, name in
      "{\"name\":\"\(name.replacing("\t", with: "\\t").replacing("\r", with: "\\r"))\",\"ts\":\(number)}"
    }
    let outcome = try add(lines.joined(separator: "\n"))
    #expect(outcome.result.stored == names.count)
    let path = NSTemporaryDirectory() + "footfall-import-" + UUID().uuidString
    defer { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) } }
    func export(_ format: TransferFormat) throws -> String {
      _ = try outcome.duck.store.export(ExportRequest(project: 1, format: format), to: path)
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    let sheet = try export(.spreadsheet)
    for name in names.prefix(6) { #expect(sheet.contains("'" + name), "\(name)") }
    #expect(sheet.contains(",plain,") && sheet.contains(",a=b,"))
    #expect(!sheet.contains("'plain"))
    let raw = try export(.csv)
    #expect(!raw.contains("'"))
    let again = try add(Array(raw.utf8), .csv)
    #expect(try again.events().map(\.name).sorted() == names.sorted())
    #expect(throws: StoreError.self) { try add(sheet, .spreadsheet) }
  }

  @Test func `Parquet of other origin may lack columns and have times as such`() throws {
    let duck = try TestStore()
    let path = NSTemporaryDirectory() + "footfall-import-" + UUID().uuidString + ".parquet"
    defer { do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) } }
    _ = try duck.store.rows(
      SQL(
        """
        COPY (
          SELECT 'Opened' AS name, TIMESTAMP '2026-12-01 09:30:00.123' AS ts, {'n': 1} AS props, 7 AS user_id
          UNION ALL SELECT '', TIMESTAMP '2026-12-01', NULL, 8
        ) TO '\(path)' (FORMAT parquet)
        """
      )
    )
    var refused: [ImportRefusal] = []
    let result = try duck.store.importEvents(
      ImportRequest(path, .parquet, project: 1),
      cancellation: nil,
      refused: { refused.append($0) },
      progress: { _ in }
    )
    #expect(result.stored == 1)
    #expect(refused == [ImportRefusal(line: 2, reason: "it has no name")])
    let event = try #require(try RecentEvents(project: 1).run(on: duck.store).first)
    #expect(event.timestampMs == 1_796_117_400_123)
    #expect(event.properties == #"{"n":1}"# && event.userID == "7")
  }
}

@Suite struct `Records of comma-separated values` {
  private func records(_ lines: [String]) -> [CSVRecords.Step] {
    var csv = CSVRecords(maxBytes: 40)
    return lines.map { csv.receive(Array($0.utf8)) }
  }

  @Test(arguments: [
    ("a,b", ["a", "b"]), ("a,b\r", ["a", "b"]), ("", [""]), (",", ["", ""]),
    (#""a,""b""",c"#, [#"a,"b""#, "c"]), (#""",x"#, ["", "x"]), ("\"a\"\r", ["a"]),
    ("é, b ", ["é", " b "]), ("a\rb", ["a\rb"]),
  ])
  func `follow RFC 4180`(line: String, fields: [String]) {
    #expect(records([line]) == [.record(fields)])
  }

  @Test func `go on over lines while a quote is open, within their bound`() {
    #expect(records([#"a,"b"#, "c", #"d""#]) == [.goesOn, .goesOn, .record(["a", "b\nc\nd"])])
    let long = String(repeating: "x", count: 30)
    #expect(
      records(["\"" + long, long, "a"]) == [
        .goesOn, .refused("a text in quotes does not end, or is too long"), .record(["a"]),
      ]
    )
    #expect(
      records([#"a"b"#, #""a"b"#, "c"]) == [
        .refused("a quote stands where none may"), .refused("a quote stands where none may"),
        .record(["c"]),
      ]
    )
  }
}
