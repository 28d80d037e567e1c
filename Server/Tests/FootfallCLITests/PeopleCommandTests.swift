import Catalog
import Foundation
import FootfallSystem
import ServerApp
import Testing

@testable import FootfallCLI

@Suite struct `Commands for people` {
  /// A data folder of its own, with an owner and a board.
  private final class Folder {
    let path = FileManager.default.temporaryDirectory.path + "/cli-people-\(UUID().uuidString)"
    let catalog: Catalog

    init() throws {
      try DataFolder(path: path).prepare()
      catalog = try Catalog(path: DataFolder(path: path).catalogue)
      _ = try catalog.prepareFirstStart()
    }

    deinit {
      do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
    }

    func run(_ words: [String]) -> (status: Int32, out: [String], error: String) {
      let printed = Lock((out: [String](), error: ""))
      let terminal = Terminal(
        out: { line in printed.withLock { $0.out.append(line) } },
        error: { line in printed.withLock { $0.error += line } }
      )
      let status = Footfall.run(words + ["--data", path], terminal: terminal)
      return printed.withLock { (status, $0.out, $0.error) }
    }
  }

  /// The commands that print an address made of `--address`.
  private static let linking = [["sign-in"], ["user", "add", "Ada"], ["board", "link", "1"]]

  @Test(arguments: [
    "javascript:alert(1)", "stats.example.com", "ftp://stats.example.com", "https://", "http:///x",
    "https://a b", "https://stats.example.com/?a=b", "https://stats.example.com/#a",
    "https://stats.example.com/\u{1b}[31m",
  ])
  func `a link is made of an address of http alone, and nothing else is made of another`(
    address: String
  ) throws {
    let folder = try Folder()
    for command in Self.linking {
      let refused = folder.run(command + ["--address", address])
      #expect(refused.status == 2 && refused.out.isEmpty, "\(command)")
      #expect(refused.error.contains("--address takes an address like https://"), "\(command)")
      #expect(!refused.error.contains("\u{1b}"), "\(command)")
    }
    #expect(try folder.catalog.users().map(\.name) == ["owner"])
    #expect(throws: UsageError.self) {
      try Serving.settings(
        try Arguments(["--public-url", address], shape: Arguments.Shape(options: Serving.options))
      )
    }
  }

  @Test(arguments: [
    "https://stats.example.com", "http://127.0.0.1:4001/", "https://example.com/f/",
  ])
  func `a link begins with the address people reach the server by`(address: String) throws {
    let folder = try Folder()
    let site = address.hasSuffix("/") ? String(address.dropLast()) : address
    for (command, page) in zip(Self.linking, ["sign-in", "sign-in", "shared"]) {
      let made = folder.run(command + ["--address", address])
      #expect(made.status == 0, "\(made)")
      #expect(made.out.last?.hasPrefix("\(site)/\(page)/") == true, "\(made)")
    }
  }

  @Test func `nothing that is told of people steers the terminal`() throws {
    let folder = try Folder()
    let name = "a\u{1b}[31mb"
    let refused = folder.run(["user", "add", name])
    #expect(refused.status == 1 && refused.error.contains("no control characters"))
    for words in [["user", "role", name, "--role", "viewer"], ["user", "remove", name]] {
      let unknown = folder.run(words)
      #expect(unknown.status == 1 && unknown.error.contains("a�[31mb"), "\(unknown)")
    }
    // One that an earlier version took, and a browser that says what it likes.
    let database = try Database(path: DataFolder(path: folder.path).catalogue, busyMs: 5_000)
    try database.run("UPDATE users SET name = ?", [.text(name)])
    _ = try folder.catalog.signIn(
      link: try folder.catalog.createSignInLink(user: name),
      browser: "B\u{9b}2J"
    )
    for words in [["user", "list"], ["session", "list"]] {
      let lines = folder.run(words)
      #expect(lines.status == 0 && lines.out.joined().contains("a�[31mb"), "\(lines)")
      #expect(!lines.out.joined().contains("\u{1b}") && !lines.out.joined().contains("\u{9b}"))
    }
    #expect(folder.run(["user", "add", "Zoë"]).status == 0)
    #expect(folder.run(["user", "role", "Zoë", "--role", "owner"]).status == 0)
    let removed = folder.run(["user", "remove", name])
    #expect(removed.status == 0 && removed.out.joined().contains("a�[31mb may not sign in"))
  }
}
