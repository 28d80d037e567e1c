import Catalog
import FootfallSystem
import Foundation
import ServerApp
import Testing

@testable import FootfallCLI

@Suite(.timeLimit(.minutes(2))) struct `Commands for alerts and SQL` {
  /// Runs one command line on a data folder and returns its exit status and what it printed.
  private func footfall(
    _ words: String...,
    data: String
  ) -> (status: Int32, out: String, error: String) {
    let printed = Lock((out: [String](), error: [String]()))
    let terminal = Terminal(
      out: { line in printed.withLock { $0.out.append(line) } },
      error: { line in printed.withLock { $0.error.append(line) } }
    )
    let status = Footfall.run(words + ["--data", data], terminal: terminal)
    return printed.withLock {
      (status, $0.out.joined(separator: "\n"), $0.error.joined(separator: "\n"))
    }
  }

  /// A data folder with one project.
  private func withFolder(_ body: (String, Catalog) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    try DataFolder(path: folder).prepare()
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    let catalog = try Catalog(path: DataFolder(path: folder).catalogue)
    _ = try catalog.createProject(name: "Notes")
    try body(folder, catalog)
  }

  @Test func `an alert is made, listed, changed, paused, tried and removed`() throws {
    try withFolder { folder, catalog in
      let made = footfall(
        "alert",
        "create",
        "Sales stopped",
        "--question",
        "trend?events=Bought&interval=hour",
        "--rule",
        "under",
        "--amount",
        "1",
        "--webhook",
        "https://8.8.8.8/hook",
        data: folder
      )
      #expect(made.status == 0 && made.out.hasPrefix("ff_hook_"), "\(made)")
      let alert = try #require(try catalog.alerts(project: 1).first)
      #expect(alert.terms.rule == .under(1) && alert.terms.everyMinutes == 15)
      let listed = footfall("alert", "list", data: folder).out
      #expect(listed.contains("Sales stopped") && listed.contains("https://8.8.8.8/hook"))
      let changed = footfall(
        "alert",
        "change",
        "1",
        "--rule",
        "fall",
        "--amount",
        "0.5",
        "--every",
        "60",
        data: folder
      )
      #expect(changed.status == 0, "\(changed)")
      let now = try #require(try catalog.alert(1, project: 1)).terms
      #expect(now.rule == .fall(0.5) && now.everyMinutes == 60 && now.name == "Sales stopped")
      #expect(now.question == "trend" && now.webhook == alert.terms.webhook)
      #expect(footfall("alert", "pause", "1", data: folder).status == 0)
      #expect(footfall("alert", "list", data: folder).out.contains("paused"))
      #expect(footfall("alert", "resume", "1", data: folder).status == 0)
      #expect(footfall("alert", "test", "1", data: folder).status == 0)
      #expect(try catalog.alert(1, project: 1)?.state.messages.count == 1)
      #expect(footfall("alert", "history", "1", data: folder).status == 0)
      #expect(footfall("alert", "remove", "1", data: folder).status == 0)
      #expect(try catalog.alerts(project: 1).isEmpty)
      #expect(footfall("alert", "pause", "1", data: folder).status == 1)
    }
  }

  @Test(arguments: [
    (["alert"], "It needs one of: list, create"), (["alert", "make"], "“make” is not one of"),
    (["alert", "create"], "NAME is missing"), (["alert", "create", "A"], "--question is missing"),
    (["alert", "pause", "one"], "ID is an alert's number"),
    (create(question: "nonsense?"), "--question: "),
    (create(question: "hours?"), "“hours” has no number that an alert could look at"),
    (create(rule: "above"), "--rule is one of over, under, rise, fall"),
    (create(rule: "fall", amount: "2"), "--amount takes a number"),
    (create(amount: "many"), "--amount takes a number"),
    (create(webhook: "ftp://a/"), "A webhook is an address"),
    (create(webhook: "http://127.0.0.1:9/"), "is this machine or in a private network"),
    (create() + ["--every", "0"], "--every takes a whole number from 1 to 1440"),
    (["sql"], "It needs one of: run, keep"), (["sql", "run"], "It takes a statement, or --kept"),
    (["sql", "run", "SELECT 1", "--kept", "A"], "It takes a statement, or --kept"),
    (["sql", "run", "--kept", "A"], "No statement “A” is kept"),
    (["sql", "run", "SELECT 1", "--format", "xml"], "--format is one of text, csv"),
    (["sql", "run", "SELECT 1", "--limit", "0"], "--limit takes a whole number from 1 to 10000"),
    (["sql", "keep", "A"], "NAME or STATEMENT is missing"),
    (["sql", "forget", "A"], "No statement “A” is kept"),
  ])
  func `wrong words are told with what is right`(words: [String], told: String) throws {
    try withFolder { folder, _ in
      let printed = Lock([String]())
      let status = Footfall.run(
        words + ["--data", folder],
        terminal: Terminal(out: { _ in }, error: { line in printed.withLock { $0.append(line) } })
      )
      let isAlone = words.count == 1
      #expect(status == 2)
      let text = printed.withLock { $0.joined(separator: "\n") }
      #expect(text.contains(told) || isAlone && text.contains("--data"), "\(text)")
    }
  }

  @Test func `a webhook of a private network is taken where the server is said to tell it`() throws
  {
    try withFolder { folder, catalog in
      let words = Self.create(webhook: "http://192.168.0.7/") + ["--data", folder]
      let terminal = Terminal(out: { _ in }, error: { _ in })
      #expect(Footfall.run(words + ["--allow-private-webhooks"], terminal: terminal) == 0)
      let change = ["alert", "change", "1", "--webhook", "http://10.0.0.1/", "--data", folder]
      #expect(Footfall.run(change, terminal: terminal) == 2)
      // What is changed otherwise needs no leave for the address that it has.
      let rename = ["alert", "change", "1", "--name", "B", "--data", folder]
      #expect(Footfall.run(rename, terminal: terminal) == 0)
      #expect(Footfall.run(change + ["--allow-private-webhooks"], terminal: terminal) == 0)
      let alert = try #require(try catalog.alert(1, project: 1))
      #expect(alert.terms.webhook == "http://10.0.0.1/")
    }
  }

  private static func create(
    question: String = "trend",
    rule: String = "over",
    amount: String = "1",
    webhook: String = "https://8.8.8.8/"
  ) -> [String] {
    [
      "alert", "create", "A", "--question", question, "--rule", rule, "--amount", amount,
      "--webhook", webhook,
    ]
  }

  @Test func `a statement asks the project's own events, and is kept under a name`() throws {
    try withFolder { folder, _ in
      let file = folder + "/events.ndjson"
      let now = Int64(Date().timeIntervalSince1970 * 1_000)
      try (1...3 as ClosedRange<Int64>).map { number in
        #"{"name":"Opened","ts":\#(now - number * 1_000),"id":"\#(number)","user_id":"user-\#(number % 2)"}"#
      }.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
      #expect(footfall("import", file, data: folder).status == 0)
      let count = "SELECT name, count(*) AS n FROM events GROUP BY name"
      let text = footfall("sql", "run", count, data: folder)
      #expect(text.status == 0 && text.out == "name    n\nOpened  3", "\(text)")
      #expect(footfall("sql", "keep", "By name", count, data: folder).status == 0)
      #expect(footfall("sql", "list", data: folder).out == "By name  \(count)")
      let csv = footfall("sql", "run", "--kept", "By name", "--format", "csv", data: folder)
      #expect(csv.out.contains("Opened,3"), "\(csv)")
      let cut = footfall(
        "sql",
        "run",
        "SELECT user_id FROM events",
        "--limit",
        "1",
        data: folder
      )
      #expect(cut.error.contains("more than 1 rows"), "\(cut)")
      let wrong = footfall("sql", "run", "DELETE FROM events", data: folder)
      #expect(wrong.status == 2 && !wrong.error.isEmpty, "\(wrong)")
      #expect(footfall("sql", "forget", "By name", data: folder).status == 0)
      #expect(footfall("sql", "list", data: folder).out.isEmpty)
    }
  }
}
