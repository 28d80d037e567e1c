import Catalog
import EventStore
import FootfallJournal
import FootfallSystem
import Foundation
import IngestLog
import Testing

@testable import ServerApp

@Suite struct `What is lost` {
  @Test(
    arguments: [
      ([], 0, nil, []), ([], 7, JournalPosition(segment: 8, offset: 90), []),
      ([], 7, nil, ["up to 7"]),
      ([2...2], 0, nil, ["Segment 2"]), ([2...3], 0, nil, ["Segments 2 to 3"]),
      ([2...3], 0, JournalPosition(segment: 4, offset: 90), []),
      ([2...3], 0, JournalPosition(segment: 3, offset: 90), ["where loading had come to"]),
      ([2...3], 0, JournalPosition(segment: 1, offset: 90), ["what came after that is lost"]),
      ([2...2, 4...5], 0, JournalPosition(segment: 3, offset: 90), ["Segments 4 to 5"]),
    ] as [([ClosedRange<UInt64>], UInt64, JournalPosition?, [String])]
  )
  func `of a log is what is missing and no store has`(
    missing: [ClosedRange<UInt64>],
    removed: UInt64,
    position: JournalPosition?,
    words: [String]
  ) {
    let losses = LogReview(missing: missing, removed: removed, loadedUpTo: position).losses
    #expect(losses.count == words.count)
    for (loss, words) in zip(losses, words) { #expect(loss.contains(words), "\(loss)") }
  }

  @Test func `of a log is what lay where it cannot be read, but for headers and an unfinished end`()
  {
    let place = JournalPosition(segment: 2, offset: 90)
    let gaps = [
      JournalGap(position: place, bytes: 16, reason: .header),
      JournalGap(position: place, bytes: 70, reason: .damaged),
      JournalGap(position: place, bytes: 80, reason: .unreadable),
      JournalGap(position: place, bytes: 90, reason: .missing),
      JournalGap(position: place, bytes: 30, reason: .tornTail),
    ]
    let losses = LogReview.losses(in: gaps)
    #expect(losses.count == 3)
    #expect(losses.first?.contains("had 70 bytes at") == true, "\(losses)")
  }

  @Test func `a store that does not answer does not keep a server from starting`() throws {
    let fixture = try FolderFixture()
    let log = try IngestLog(folder: fixture.data.log)
    defer { log.close() }
    let store = UnavailableEventStore(reason: .unavailable("a page of its file is damaged"))
    try OpenedData.review(log, store, LossNote(fixture.data))
  }

  @Test func `a catalogue that is damaged inside is named, and nothing starts with it`() throws {
    let fixture = try FolderFixture()
    var bytes = Array(try #require(FileManager.default.contents(atPath: fixture.data.catalogue)))
    // Every second page but the first, which says what the file is.
    for page in stride(from: 1, to: bytes.count / 4_096, by: 2) {
      for offset in 0..<4_096 { bytes[page * 4_096 + offset] = 0 }
    }
    try fixture.write("catalogue.sqlite", bytes)
    var settings = ServerSettings(data: fixture.data)
    settings.port = 0
    let problem = #expect(throws: StartError.self) { try Server(settings) }
    #expect(problem?.description.contains("catalogue.sqlite is damaged") == true)
    #expect(problem?.description.contains("Restore it from a backup") == true)
  }

  @Test func `is noted once, and a problem until someone deletes the note`() throws {
    let fixture = try FolderFixture()
    let note = LossNote(fixture.data)
    #expect(!note.finding.isProblem)
    try note.add([])
    #expect(!fixture.exists(fixture.data.losses))
    try note.add(["One is gone."])
    try note.add(["One is gone.", "Two is gone."])
    #expect(try note.losses() == ["One is gone.", "Two is gone."])
    let found = Doctor(ServerSettings(data: fixture.data)).examine().first { $0.name == "Losses" }
    #expect(found?.isProblem == true)
    #expect(found?.detail.contains("Two is gone.") == true)
  }

  @Test(arguments: [nil, 0, 100]) func `without its catalogue, data is not given to a new one`(
    bytes: Int?
  ) throws {
    let fixture = try FolderFixture()
    let files = FileManager.default
    try files.removeItem(atPath: fixture.data.catalogue)
    if let bytes {
      if bytes == 0 {
        try fixture.write("catalogue.sqlite", [])
      } else {
        // A database without any table, as another program makes it.
        try DatabaseFile.copy(":memory:", to: fixture.data.catalogue)
      }
    }
    let before = files.contents(atPath: fixture.data.catalogue)
    var settings = ServerSettings(data: fixture.data)
    settings.port = 0
    let problem = #expect(throws: StartError.self) { try Server(settings) }
    #expect(problem?.description.contains("catalogue.sqlite is missing or empty") == true)
    #expect(throws: StartError.self) { try StoppedServer(settings) }
    #expect(throws: StartError.self) {
      try Backup.make(of: fixture.data, at: fixture.path + "/copy")
    }
    let found = Doctor(settings).examine().first { $0.name == "Catalogue" }
    #expect(found?.isProblem == true)
    #expect(files.contents(atPath: fixture.data.catalogue) == before)
  }

  @Test(arguments: [1, Catalog.format - 1])
  func `the doctor leaves a catalogue of an earlier format as it is`(format: Int) throws {
    let data = DataFolder(path: NSTemporaryDirectory() + "footfall-" + UUID().uuidString)
    defer {
      do { try FileManager.default.removeItem(atPath: data.path) } catch { Issue.record(error) }
    }
    try data.prepare()
    let python = Process()
    python.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    python.arguments = [
      "python3", "-c",
      "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.executescript(sys.argv[2]); c.commit()",
      data.catalogue,
      Catalog.script(ofFormat: format)
        + "; INSERT INTO projects (name, time_zone, created_at) VALUES ('Notes', 'UTC', 5)",
    ]
    try python.run()
    python.waitUntilExit()
    try #require(python.terminationStatus == 0)
    let before = FileManager.default.contents(atPath: data.catalogue)
    let found = Doctor(ServerSettings(data: data)).examine().first { $0.name == "Catalogue" }
    #expect(found?.isProblem == false)
    #expect(found?.detail.hasPrefix("format \(format), of an earlier version: whole,") == true)
    #expect(FileManager.default.contents(atPath: data.catalogue) == before)
    // It is found whole by what brings it to this format, too.
    #expect(try Catalog(path: data.catalogue).projects().map(\.name) == ["Notes"])
  }

  @Test func `a log that is gone as a whole is told by the doctor, then by the start`() throws {
    let fixture = try FolderFixture()
    try FileManager.default.removeItem(atPath: fixture.data.log)
    let settings = ServerSettings(data: fixture.data)
    let found = Doctor(settings).examine().first { $0.name == "Ingest log" }
    #expect(found?.detail == LogReview.wholeLog && found?.isProblem == true)
    #expect(!fixture.exists(fixture.data.log))
    for _ in 0..<2 {
      try OpenedData(settings) { OpenedStore.open($0) }.close()
      #expect(try LossNote(fixture.data).losses() == [LogReview.wholeLog])
    }
  }

  @Test func `a folder that no start came to fill may have its first one`() throws {
    let data = DataFolder(path: NSTemporaryDirectory() + "footfall-" + UUID().uuidString)
    defer {
      do { try FileManager.default.removeItem(atPath: data.path) } catch { print(error) }
    }
    try data.prepare()
    try IngestLog(folder: data.log).close()
    let found = Doctor(ServerSettings(data: data)).examine().first { $0.name == "Catalogue" }
    #expect(found?.isProblem == false)
    #expect(!FileManager.default.fileExists(atPath: data.catalogue))
    try data.checkCatalogue()
    #expect(try Catalog(path: data.catalogue).projects().isEmpty)
  }

  @Test(arguments: ["state.sqlite", "endpoints.sqlite", "catalogue.sqlite"])
  func `a damaged file is named, by a start and by the doctor`(name: String) throws {
    let fixture = try FolderFixture()
    try fixture.write(name, [UInt8](repeating: 7, count: 4_096))
    var settings = ServerSettings(data: fixture.data)
    settings.port = 0
    let problem = #expect(throws: StartError.self) { try Server(settings) }
    let text = "\(fixture.data.path)/\(name) is damaged. Restore it from a backup."
    #expect(problem?.description.hasSuffix(": \(text)") == true, "\(problem?.description ?? "")")
    let found = Doctor(settings).examine()
    #expect(found.contains { $0.isProblem && $0.detail.contains("\(name) is damaged") })
  }
}
