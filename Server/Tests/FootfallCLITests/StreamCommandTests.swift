import Foundation
import FootfallSystem
import ServerApp
import Testing

@testable import FootfallCLI

@Suite struct `Command: stream` {
  /// Runs command lines on a scratch folder.
  private func run(_ lines: [[String]]) throws -> [(status: Int32, text: String)] {
    let folder = NSTemporaryDirectory() + "footfall-cli-" + UUID().uuidString
    defer {
      do {
        try FileManager.default.removeItem(atPath: folder)
      } catch {
        Issue.record("the test's folder could not be removed: \(error)")
      }
    }
    try DataFolder(path: folder).prepare()
    return lines.map { words in
      let printed = Lock([String]())
      let terminal = Terminal(
        out: { line in printed.withLock { $0.append(line) } },
        error: { line in printed.withLock { $0.append(line) } }
      )
      let status = Footfall.run(words + ["--data", folder], terminal: terminal)
      return (status, printed.withLock { $0.joined(separator: "\n") })
    }
  }

  @Test func `streams are made, listed and deleted`() throws {
    let results = try run([
      ["project", "create", "App"], ["stream", "create", "clicks", "--shards", "3"],
      ["stream", "create", "archive", "--kind", "firehose", "--bytes-per-second", "1000"],
      ["stream", "create", "clicks"], ["stream", "list"], ["stream", "delete", "clicks"],
      ["stream", "delete", "clicks"], ["stream", "list"],
      ["stream", "export", "archive", "--kind", "firehose"],
    ])
    #expect(results.map(\.status) == [0, 0, 0, 1, 0, 0, 1, 0, 0])
    #expect(results[3].text.contains("has a stream clicks already"))
    #expect(
      results[4].text == "clicks\tkinesis, 3 shards\narchive\tfirehose, 1,000 bytes/s a shard"
    )
    #expect(results[6].text.contains("has no stream clicks"))
    #expect(results[7].text == "archive\tfirehose, 1,000 bytes/s a shard")
    #expect(results[8].text == "0 records of stream archive.")
  }

  @Test(arguments: [
    (["stream", "create"], 2, "NAME is missing"),
    (["stream", "create", "a/b"], 1, "is no stream's name"),
    (
      ["stream", "create", "a", "--shards", "0"], 2, "--shards takes a whole number from 1 to 1000"
    ),
    (["stream", "create", "a", "--kind", "sqs"], 2, "--kind is one of kinesis, firehose"),
    (["stream", "create", "a", "--kind", "firehose", "--shards", "2"], 1, "has 1 to 1 shards"),
    (["stream", "export", "zz"], 1, "has no stream zz"),
    (["stream", "list", "x"], 2, "not expected"),
  ])
  func `a wrong call is told what is wrong`(words: [String], status: Int32, text: String) throws {
    let result = try #require(try run([["project", "create", "App"], words]).last)
    #expect(result.status == status)
    #expect(result.text.contains(text), "\(result.text)")
  }
}
