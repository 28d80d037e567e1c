import Catalog
import Foundation
import FootfallSystem
import ServerApp
import Testing

@testable import FootfallCLI

@Suite struct `Command line` {
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

  @Test func `the version names the program, the wire and the disk format`() {
    let result = footfall("--version")
    #expect(result.status == 0)
    #expect(result.out.wholeMatch(of: /footfall \d+\.\d+\.\d+ \(wire \d+, disk \d+\)/) != nil)
  }

  @Test func `no words print the commands and fail`() {
    let result = footfall()
    #expect(result.status == 2)
    #expect(result.error.contains("Usage: footfall COMMAND"))
  }

  @Test func `nothing in an event steers the terminal it is printed on`() {
    #expect(EventLine.printable("Kaffee ☕\u{1b}[2J\n\u{9b}1A\u{7f}\0") == "Kaffee ☕�[2J��1A��")
  }

  @Test func `an unknown command is named`() {
    let result = footfall("sevre")
    #expect(result.status == 2)
    #expect(result.error.contains("“sevre” is not a command"))
    #expect(footfall("help", "sevre").status == 2)
  }

  @Test(arguments: Footfall.commands.map(\.name))
  func `every command explains itself and refuses an unknown option`(name: String) {
    let help = footfall(name, "--help")
    #expect(help.status == 0)
    #expect(help.out.hasPrefix("Usage: footfall \(name)"))
    #expect(footfall("help", name).out == help.out)
    let wrong = footfall(name, "--no-such-option")
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("--no-such-option"))
  }

  @Test(arguments: [
    (["serve", "--port", "70000"], "--port takes a whole number from 0 to 65535"),
    (["serve", "--max-put-events", "-1"], "--max-put-events takes a whole number from 0 to"),
    (["serve", "--keep-log", "-1"], "--keep-log takes a whole number from 0 to 8784"),
    (["serve", "extra"], "“extra” was not expected here"),
    (["serve", "--public-url", "stats.example.com"], "--public-url takes an address"),
    (["erase"], "Say what to erase"),
    (["erase", "--user", "a", "extra"], "“extra” was not expected here"),
    (["erase", "--from", "yesterday"], "--from takes a day or a time"),
    (["erase", "--to", "2026-12-01T09:30"], "--to takes a day or a time"),
    (["export"], "FILE is missing"), (["export", "a", "b"], "“b” was not expected here"),
    (["export", "a", "--format", "amplitude"], "--format is one of ndjson, csv, parquet"),
    (["export", "a", "--to", "2026-13-01"], "--to takes a day or a time"),
    (["export", "/"], "/ is a folder"), (["export", "/dev/zero"], "is no regular file"),
    (["export", "/no/such/dir/x"], "the folder /no/such/dir is not there. Make it"),
    (["export", "/etc/hosts/x"], "/etc/hosts is no folder"),
    (["export", "-"], "footfall export writes a file"), (["import", "/"], "/ is a folder"),
    (["export", "data/catalogue.sqlite"], "lies in the data folder"),
    (["export", "/tmp/../tmp/events.duckdb", "--data", "/tmp"], "lies in the data folder /tmp"),
    (["import", "/dev/zero"], "/dev/zero is no regular file"),
    (["import"], "FILE is missing"), (["import", "/no/such/file"], "cannot be read"),
    (["import", "/etc/hosts", "--format", "xml"], "--format is one of ndjson, csv, parquet"),
    (["demo", "--people", "0"], "--people takes a whole number from 1 to 10000"),
    (["demo", "--sample", "/no/such/program"], "there is no program at /no/such/program"),
  ])
  func `wrong words are refused before anything starts`(words: [String], message: String) {
    let printed = Lock("")
    let terminal = Terminal(
      out: { _ in },
      error: { line in printed.withLock { $0 += line } }
    )
    #expect(Footfall.run(words, terminal: terminal) == 2)
    #expect(printed.withLock { $0.contains(message) })
  }

  /// A server on a folder, as `footfall serve` runs one.
  private func serve(_ folder: String) throws -> Server {
    var settings = try Serving.settings(
      try Arguments(["--data", folder], shape: Arguments.Shape(options: ["data"]))
    )
    settings.port = 0
    let server = try Server(settings)
    try server.start()
    return server
  }

  @Test func `a project gets no name that another has`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    try DataFolder(path: folder).prepare()
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    for name in ["Notes", "Shop"] {
      #expect(footfall("project", "create", name, "--data", folder).status == 0)
    }
    let created = footfall("project", "create", "notes ", "--data", folder)
    let renamed = footfall("project", "set", "Shop", "--name", "NOTES", "--data", folder)
    for refused in [created, renamed] {
      #expect(refused.status == 1)
      #expect(
        refused.error
          == "footfall: Project 1 is called “Notes” already; choose another name."
      )
    }
    #expect(footfall("project", "list", "--data", folder).out.split(separator: "\n").count == 2)
  }

  @Test func `a project's time zone, week and currency are set and shown`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    try DataFolder(path: folder).prepare()
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    _ = try Catalog(path: DataFolder(path: folder).catalogue).createProject(name: "Notes")
    let shown = footfall("project", "set", "Notes", "--data", folder)
    #expect(
      shown.out
        == "Project 1 “Notes”: days in UTC, weeks from Monday, revenue in whatever comes in."
    )
    let set = footfall(
      "project",
      "set",
      "Notes",
      "--time-zone",
      "Europe/Berlin",
      "--week",
      "sun",
      "--currency",
      "eur",
      "--data",
      folder
    )
    #expect(
      set.out == "Project 1 “Notes”: days in Europe/Berlin, weeks from Sunday, revenue in EUR."
    )
    #expect(footfall("project", "set", "1", "--currency", "x", "--data", folder).status == 1)
    #expect(footfall("project", "set", "1", "--week", "someday", "--data", folder).status == 2)
    let rated = footfall("project", "set", "1", "--rates", "gbp 1.17", "--data", folder)
    #expect(rated.out.hasSuffix("revenue in EUR, others by the rates GBP 1.17."))
    let wrong = footfall("project", "set", "1", "--rates", "1.17", "--data", folder)
    #expect(wrong.status == 1 && wrong.error.contains("“1.17” is no rate"))
    let still = footfall("project", "set", "1", "--currency", "none", "--data", folder)
    #expect(still.status == 1 && still.error.contains("leave the rates out"))
    let none = footfall(
      "project",
      "set",
      "1",
      "--currency",
      "none",
      "--rates",
      "none",
      "--data",
      folder
    )
    #expect(none.out.hasSuffix("weeks from Sunday, revenue in whatever comes in."))
  }

  @Test(.timeLimit(.minutes(5)), arguments: [false, true])
  func `events go into a store from a file, out of it into another, and away, server or not`(
    isServed: Bool
  ) throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    try DataFolder(path: folder).prepare()
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    // The first start of a server makes a project, too.
    let server = isServed ? try serve(folder) : nil
    if server == nil {
      _ = try Catalog(path: DataFolder(path: folder).catalogue).createProject(name: "Notes")
    }
    defer { server?.stop() }
    let file = folder + "/events.ndjson"
    try (1...3).map { #"{"name":"Opened","ts":\#($0),"id":"\#($0)","user_id":"user-\#($0 % 2)"}"# }
      .joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)

    let added = footfall("import", file, "--data", folder)
    #expect(added.status == 0, "\(added.error)")
    #expect(added.out.contains("3 events added, 0 were there already"))
    #expect(footfall("import", file, "--data", folder).out.contains("0 events added, 3 were there"))

    try expectRefusals(file, folder)

    let counted = footfall("erase", "--user", "user-1", "--data", folder)
    #expect(counted.out.contains("2 stored events would be erased (one user)."))
    let erased = footfall("erase", "--user", "user-1", "--yes", "--data", folder)
    #expect(erased.out == "2 stored events were erased (one user).")
    #expect(erased.error.contains(isServed ? "as job" : "removing from the log"))
    #expect(footfall("import", file, "--data", folder).out.contains("2 had been erased"))

    let outside = FileManager.default.temporaryDirectory.path + "/out-\(UUID().uuidString)"
    defer {
      do { try FileManager.default.removeItem(atPath: outside) } catch { Issue.record(error) }
    }
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: false)
    let written = footfall("export", outside + "/out.csv", "--data", folder)
    #expect(written.out == "1 event is in \(outside)/out.csv (csv).")
    let text = try String(contentsOfFile: outside + "/out.csv", encoding: .utf8)
    #expect(text.contains("user-0") && !text.contains("user-1"))
    #expect(footfall("export", outside + "/no/such/out.csv", "--data", folder).status == 2)
    #expect(footfall("erase", "--user", "a", "--data", folder + "/none").status == 1)
    #expect(footfall("audit", "--data", folder).out.contains("events.erase"))

    let copy = folder + "-copy"
    defer {
      for path in [copy, copy + "-restored"] {
        do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
      }
    }
    let copied = footfall("backup", copy, "--data", folder)
    #expect(copied.status == 0 && copied.out.contains("copied to"), "\(copied.error)")
    #expect(footfall("backup", folder + "/inside", "--data", folder).status == 1)
    for place in ["/dev/null", "/dev/null/copy"] {
      #expect(
        footfall("backup", place, "--data", folder).error
          == "footfall: /dev/null is no folder and was left alone. Name a new folder."
      )
    }
    #expect(footfall("backup", "--verify", copy).status == 0)
    #expect(footfall("backup", copy, "--data", folder).status == 1)
    let restored = footfall(
      "restore",
      copy,
      "--erased",
      folder,
      "--data",
      copy + "-restored"
    )
    #expect(restored.status == 0, "\(restored.error)")
    let jobs = footfall("job", "list", "--data", folder).out
    #expect(jobs.contains("  erase  done  ") == isServed)
    #expect(!jobs.contains("user-1"))
    #expect(footfall("job", "cancel", "1", "--data", folder).status == 1)
    #expect(footfall("job", "cancel", "x", "--data", folder).status == 2)
  }

  /// What is no event is listed beside its file, and what is no file of events says so.
  private func expectRefusals(_ file: String, _ folder: String) throws {
    let mixed = folder + "/mixed.ndjson"
    let list = mixed + ".rejected"
    let bad = (1...12).map { _ in "nonsense" }
    try (try String(contentsOfFile: file, encoding: .utf8) + "\n" + bad.joined(separator: "\n"))
      .write(toFile: mixed, atomically: true, encoding: .utf8)
    let result = footfall("import", mixed, "--data", folder)
    #expect(result.status == 0, "\(result.error)")
    #expect(result.out.contains("3 were there already"))
    #expect(result.out.contains("12 lines are no event."))
    #expect(result.out.contains("  line 4: it is no JSON object"))
    #expect(result.out.contains("all are in \(list)"))
    #expect(!result.out.contains("line 14"))
    let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 12 && lines.last == "line 15: it is no JSON object")
    // The list is that of the last import.
    try "{\"name\":\"Opened\",\"ts\":1,\"id\":\"1\",\"user_id\":\"user-1\"}"
      .write(toFile: mixed, atomically: true, encoding: .utf8)
    #expect(footfall("import", mixed, "--data", folder).status == 0)
    #expect(!FileManager.default.fileExists(atPath: list))
    let none = footfall("import", folder + "/catalogue.sqlite", "--data", folder)
    #expect(none.status == 1 && none.error.contains("holds no lines of JSON"), "\(none.error)")
  }

  @Test(.timeLimit(.minutes(5)))
  func `a backup from before an erasure is told to have it, and made to lose it`() throws {
    let root = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    let folder = root + "/data"
    defer {
      do { try FileManager.default.removeItem(atPath: root) } catch { Issue.record(error) }
    }
    try DataFolder(path: folder).prepare()
    _ = try Catalog(path: DataFolder(path: folder).catalogue).createProject(name: "Notes")
    let file = root + "/events.ndjson"
    try ["john", "mary"].map { #"{"name":"Opened","ts":1,"id":"\#($0)","user_id":"\#($0)"}"# }
      .joined(separator: "\n").write(toFile: file, atomically: true, encoding: .utf8)
    #expect(footfall("import", file, "--data", folder).status == 0)
    let copy = root + "/copy"
    #expect(footfall("backup", copy, "--data", folder).status == 0)
    #expect(footfall("erase", "--user", "john", "--yes", "--data", folder).status == 0)

    let plain = footfall("restore", copy, "--data", root + "/plain")
    #expect(plain.out.contains("is in it again"), "\(plain.out) \(plain.error)")
    #expect(plain.out.contains("--erased"))
    #expect(footfall("events", "--data", root + "/plain").out.contains("john"))

    let told = footfall("restore", copy, "--erased", folder, "--data", root + "/told")
    #expect(told.out.contains("1 erasure that the backup had not seen done: done in it now."))
    #expect(told.out.contains("the list in \(folder)"))
    // What was not done at once is done by whoever opens the folder next.
    for name in ["events", "export", "erase"] {
      let restored = DataFolder(path: "\(root)/\(name)")
      try Backup.restore(copy, to: restored, erased: try Backup.erasures(at: folder))
      let (out, text): (String, String)
      switch name {
      case "events":
        out = footfall("events", "--data", restored.path).out
        text = out
      case "export":
        let target = root + "/out.ndjson"
        out = footfall("export", target, "--data", restored.path).out
        text = try String(contentsOfFile: target, encoding: .utf8)
      default:
        out = footfall("erase", "--user", "john", "--data", restored.path).out
        #expect(out.contains("0 stored events would be erased"))
        text = footfall("events", "--data", restored.path).out
      }
      #expect(text.contains("mary") && !text.contains("john"), "\(name): \(out)")
      #expect(try Catalog(path: restored.catalogue).erasures().allSatisfy { $0.doneAtMs != nil })
    }
  }

  @Test func `a project's configuration is shown, set from a file and cleared`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    try DataFolder(path: folder).prepare()
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
    }
    let catalog = try Catalog(path: DataFolder(path: folder).catalogue)
    _ = try catalog.createProject(name: "Notes")
    let file = folder + "/settings.json"
    try Data("{\"rows\": 3}\n".utf8).write(to: URL(fileURLWithPath: file))

    #expect(footfall("project", "config", "Notes", "--data", folder).out == "{}")
    let set = footfall("project", "config", "Notes", "set", file, "--data", folder)
    #expect(set.out == "Apps of project 1 “Notes” get version 1 when they ask next.")
    #expect(footfall("project", "config", "1", "show", "--data", folder).out == "{\"rows\": 3}")
    #expect(footfall("project", "config", "Notes", "clear", "--data", folder).status == 0)
    #expect(footfall("project", "config", "Notes", "--data", folder).out == "{}")

    try Data("[1]".utf8).write(to: URL(fileURLWithPath: file))
    let refused = footfall("project", "config", "Notes", "set", file, "--data", folder)
    #expect(refused.status == 1)
    #expect(refused.error.contains("JSON object"))
    for (words, message) in [
      (["Shop"], "There is no project “Shop”"), (["Notes", "get"], "“get” is not one of"),
      (["Notes", "set"], "FILE is missing"),
      (["Notes", "set", folder + "/none"], "cannot be read"),
      (["Notes", "clear", "x"], "“x” was not expected here"), ([], "NAME is missing"),
    ] {
      let printed = Lock("")
      let terminal = Terminal(out: { _ in }, error: { line in printed.withLock { $0 += line } })
      let words = ["project", "config"] + words + ["--data", folder]
      #expect(Footfall.run(words, terminal: terminal) == 2, "\(words)")
      #expect(printed.withLock { $0.contains(message) }, "\(words)")
    }
  }
}
