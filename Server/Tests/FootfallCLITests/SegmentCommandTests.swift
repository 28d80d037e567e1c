import Catalog
import Foundation
import FootfallSystem
import ServerApp
import Testing

@testable import FootfallCLI

@Suite struct `Commands about people` {
  /// Runs one command line and returns its exit status and what it printed.
  private func footfall(_ words: String...) -> (status: Int32, out: String, error: String) {
    let printed = Lock((out: [String](), error: [String]()))
    let terminal = Terminal(
      out: { line in printed.withLock { $0.out.append(line) } },
      error: { line in printed.withLock { $0.error.append(line) } }
    )
    let status = Footfall.run(words, terminal: terminal)
    return printed.withLock {
      (status, $0.out.joined(separator: "\n"), $0.error.joined(separator: "\n"))
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `list people, show one, save a segment, import a list, and narrow a question down`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    try DataFolder(path: folder).prepare()
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    _ = try Catalog(path: DataFolder(path: folder).catalogue).createProject(name: "Notes")
    let file = folder + "/events.ndjson"
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    try (1...5 as ClosedRange<Int64>).map { number in
      #"{"name":"Opened","ts":\#(now - number * 1_000),"id":"\#(number)","user_id":"user-\#(number % 3)"}"#
    }.joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(footfall("import", file, "--data", folder).status == 0)

    let people = footfall("people", "--data", folder, "--sort", "events")
    #expect(people.status == 0 && people.out.contains("user-1  2 events"), "\(people)")
    #expect(people.error.contains("3 of 3 people"))
    let one = footfall("people", "user-1", "--data", folder)
    #expect(one.out.contains("Events: 2") && one.out.contains("Opened"), "\(one)")
    #expect(footfall("people", "nobody", "--data", folder).status == 2)
    #expect(footfall("people", "--where", "props.a:is:b", "--data", folder).status == 2)

    let list = folder + "/list.csv"
    try "user_id\nuser-0\nuser-2\na,b\n".write(toFile: list, atomically: true, encoding: .utf8)
    let imported = footfall("segment", "import", list, "--name", "VIP", "--data", folder)
    #expect(imported.out.contains("has 2 members"), "\(imported)")
    #expect(imported.error.contains("line 4"))
    let saved = footfall(
      "segment",
      "create",
      "Often",
      "--rules",
      "did-at-least 2 7d Opened;in-list 1",
      "--data",
      folder
    )
    #expect(saved.status == 0, "\(saved)")
    #expect(footfall("segment", "count", "1", "--data", folder).out == "1")
    #expect(footfall("segment", "list", "--data", folder).out.contains("did-at-least 2 7d Opened"))
    #expect(
      footfall("segment", "create", "x", "--rules", "in-list 9", "--data", folder).status == 2
    )
    let narrowed = footfall(
      "query",
      "trend",
      "--measure",
      "people",
      "--segment",
      "1",
      "--range",
      "7d",
      "--format",
      "json",
      "--data",
      folder
    )
    #expect(narrowed.out.contains(#""value":1"#), "\(narrowed)")
    #expect(footfall("query", "trend", "--segment", "9", "--data", folder).status == 2)
    #expect(footfall("segment", "remove", "1", "--data", folder).status == 0)
    #expect(footfall("segment", "list", "--data", folder).out.isEmpty)
  }
}
