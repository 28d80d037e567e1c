import Catalog
import EventRecord
import Foundation
import FootfallSystem
import IngestLog
import ServerApp
import Testing

@testable import FootfallCLI

@Suite struct `Command: doctor` {
  /// What DuckDB's file is made of behind its headers.
  private static let headerBytes = 3 * 4_096
  private static let blockBytes = 256 * 1_024

  private func doctor(
    _ words: String...,
    data: String
  ) -> (status: Int32, out: String, error: String) {
    let printed = Lock((out: [String](), error: [String]()))
    let terminal = Terminal(
      out: { line in printed.withLock { $0.out.append(line) } },
      error: { line in printed.withLock { $0.error.append(line) } }
    )
    let status = Footfall.run(["doctor"] + words + ["--data", data], terminal: terminal)
    return printed.withLock {
      (status, $0.out.joined(separator: "\n"), $0.error.joined(separator: "\n"))
    }
  }

  private func serve(_ folder: String) throws -> Server {
    var settings = try Serving.settings(
      try Arguments(["--data", folder], shape: Arguments.Shape(options: ["data"]))
    )
    settings.port = 0
    let server = try Server(settings)
    try server.start()
    return server
  }

  /// A data folder with two segments of a log and a store that has them.
  private func filled() throws -> String {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    try DataFolder(path: folder).prepare()
    try serve(folder).stop()
    for segment in 0..<2 {
      let log = try IngestLog(folder: folder + "/log", keepsItself: false)
      for number in 0..<20 { _ = log.submit(Self.record(20 * segment + number)) { _ in } }
      log.drain()
      log.close()
    }
    // Stopping loads what the log holds.
    try serve(folder).stop()
    return folder
  }

  private static func record(_ number: Int) -> [UInt8] {
    RecordWriter.record(
      RecordHeader(source: .native, project: 1, receivedAtMs: 1_780_000_000_000),
      context: #"{"library":"test/1.0"}"#,
      events: (0..<50).map { event in
        EventRecord(
          key: .native(project: 1, id: "\(number) \(event)"),
          timestampMs: 1_780_000_000_000 + Int64(number),
          id: "\(number) \(event)",
          name: "Opened",
          deviceID: "device \(event)",
          userID: "user \(number)"
        )
      }
    )
  }

  /// Every file but locks, and the memory that connections to SQLite share.
  private func contents(_ folder: String) throws -> [String: Data] {
    var contents: [String: Data] = [:]
    let files = FileManager.default
    for name in try files.subpathsOfDirectory(atPath: folder)
    where !name.hasSuffix(".lock") && !name.hasSuffix("-shm") && !name.hasSuffix("-wal") {
      contents[name] = files.contents(atPath: folder + "/" + name)
    }
    return contents
  }

  private func remove(_ folder: String) {
    do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record(error) }
  }

  @Test(.timeLimit(.minutes(5)))
  func `reads a sound folder through, tells how far it is, and changes no byte`() throws {
    let folder = try filled()
    defer { remove(folder) }
    let before = try contents(folder)
    #expect(doctor(data: folder).status == 0)
    #expect(try contents(folder) == before)
    let deep = doctor("--deep", data: folder)
    #expect(deep.status == 0, "\(deep.out)")
    #expect(
      deep.out.contains("Log, read through    40 records in 2 segments, all whole"),
      "\(deep.out)"
    )
    #expect(
      deep.out.contains(/Store, read through  [0-9,]+ rows of [0-9]+ tables, all whole/),
      "\(deep.out)"
    )
    #expect(deep.error.contains("Reading the store, table events, "), "\(deep.error)")
    #expect(try contents(folder) == before)
    #expect(doctor("--deep", "--replay", data: folder).status == 2)
  }

  @Test(.timeLimit(.minutes(5)))
  func `finds damage inside the store's file that opening it does not show`() throws {
    let folder = try filled()
    defer { remove(folder) }
    let url = URL(fileURLWithPath: folder + "/events.duckdb")
    let whole = try Data(contentsOf: url)
    var inside = 0
    for block in 0..<(whole.count - Self.headerBytes) / Self.blockBytes {
      var bytes = whole
      bytes[Self.headerBytes + block * Self.blockBytes + 1_000] ^= 1
      try bytes.write(to: url)
      let (plain, deep) = (doctor(data: folder), doctor("--deep", data: folder))
      #expect(plain.status == 0 || deep.status == 1)
      #expect(try Data(contentsOf: url) == bytes)
      guard plain.status == 0, deep.status == 1 else { continue }
      inside += 1
      #expect(deep.out.contains("\(folder)/events.duckdb is damaged. "), "\(deep.out)")
      #expect(deep.out.contains("Corrupt database file"), "\(deep.out)")
      #expect(
        deep.out.contains("Restore the data folder from a backup. Or move the file away"),
        "\(deep.out)"
      )
      #expect(deep.out.contains("Log, read through    40 records"), "\(deep.out)")
    }
    #expect(inside > 0)
  }

  @Test(.timeLimit(.minutes(5)), arguments: [0, 1])
  func `finds damage of a segment that was loaded`(number: Int) throws {
    let folder = try filled()
    defer { remove(folder) }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/log")
      .filter { $0.hasSuffix(".journal") }.sorted()
    let file = "\(folder)/log/\(names[number])"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
    // The last record: of the last segment it looks like an end that was never finished.
    bytes[bytes.count - 5] ^= 1
    try bytes.write(to: URL(fileURLWithPath: file))
    let before = try contents(folder)
    #expect(doctor(data: folder).status == 0)
    let deep = doctor("--deep", data: folder)
    #expect(deep.status == 1)
    #expect(deep.out.contains("! Log, read through    \(file) is damaged: "), "\(deep.out)")
    #expect(deep.out.contains("The store has the events that lay there"), "\(deep.out)")
    #expect(deep.out.contains("  Store, read through"), "\(deep.out)")
    #expect(try contents(folder) == before)
  }

  @Test(.timeLimit(.minutes(5)))
  func `says of a server that runs what could not be read, and how to`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/cli-\(UUID().uuidString)"
    try DataFolder(path: folder).prepare()
    let server = try serve(folder)
    defer {
      server.stop()
      remove(folder)
    }
    #expect(doctor(data: folder).status == 0)
    let deep = doctor("--deep", data: folder)
    #expect(deep.status == 1)
    #expect(deep.out.contains("! Store, read through  not read, nor the log"), "\(deep.out)")
    #expect(deep.out.contains("footfall doctor --deep --data OTHER"))
  }
}
