import Catalog
import Foundation
import FootfallJournal
import FootfallSystem
import IngestLog
import Testing

@testable import ServerApp

/// A data folder with something in every part, and no server.
final class FolderFixture {
  let path = NSTemporaryDirectory() + "footfall-" + UUID().uuidString
  var data: DataFolder { DataFolder(path: path + "/data") }

  init() throws {
    try data.prepare()
    let catalog = try Catalog(path: data.catalogue)
    _ = try catalog.prepareFirstStart(projectName: "Notes")
    let log = try IngestLog(folder: data.log)
    let settled = Monitor(false)
    _ = log.submit([1, 2, 3]) { _ in settled.change { $0 = true } }
    settled.wait { $0 ? () : nil }
    log.close()
    try write("poison/a-1-2.record", [9, 9])
    try write("poison/a-1-2.reason", Array("no such column\n".utf8))
    try write("events.duckdb", Array("not a database".utf8))
    try write("master.key", Array("secret".utf8))
    try write("tmp/scratch", [0])
    try write("address", Array("http://127.0.0.1:4001\n".utf8))
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch { print(error) }
  }

  func write(_ name: String, _ bytes: [UInt8], in folder: String? = nil) throws {
    let file = URL(fileURLWithPath: (folder ?? data.path) + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(bytes).write(to: file)
  }

  func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
}

@Suite struct `A backup` {
  @Test func `holds everything but secrets and scratch, and comes back as it was`() throws {
    let fixture = try FolderFixture()
    let copy = fixture.path + "/copy"
    let manifest = try Backup.make(of: fixture.data, at: copy)
    let names = manifest.files.map(\.name)
    for name in ["format", "catalogue.sqlite", "events.duckdb", "poison/a-1-2.record"] {
      #expect(names.contains(name), "\(name)")
    }
    #expect(names.contains { $0.hasPrefix("log/") })
    for name in ["master.key", "tmp/scratch", "address"] {
      #expect(!names.contains(name), "\(name)")
      #expect(!fixture.exists(copy + "/files/" + name))
    }
    let restored = DataFolder(path: fixture.path + "/restored")
    try Backup.restore(copy, to: restored)
    try restored.checkExisting()
    let found = Doctor(ServerSettings(data: restored), nowMs: .max / 2).examine()
    #expect(found.first { $0.name == "Permissions" }?.isProblem == false)
    #expect(try Catalog(path: restored.catalogue).projects().map(\.name) == ["Notes"])
    let (before, after) = (
      try IngestLog(folder: fixture.data.log), try IngestLog(folder: restored.log)
    )
    defer {
      before.close()
      after.close()
    }
    #expect(after.id == before.id)
    #expect(after.durableEnd == before.durableEnd)
  }

  @Test func `carries what was erased, and takes the list of a later one as it is restored`() throws
  {
    let fixture = try FolderFixture()
    let catalog = try Catalog(path: fixture.data.catalogue)
    func erase(_ id: Int64) throws {
      try catalog.addErasure(id: id, project: 1, askedAtMs: id, document: "{}", summary: "x")
      try catalog.noteErasure(id: id, removed: 1)
      try catalog.finishErasure(id: id, atMs: id)
    }
    let (early, late) = (fixture.path + "/early", fixture.path + "/late")
    try erase(1)
    #expect(try Backup.make(of: fixture.data, at: early).erasures?.map(\.id) == [1])
    try erase(2)
    try Backup.make(of: fixture.data, at: late)
    #expect(try Backup.erasures(at: late).map(\.id) == [1, 2])
    #expect(try Backup.erasures(at: fixture.data.path).map(\.id) == [1, 2])
    let restored = DataFolder(path: fixture.path + "/restored")
    try Backup.restore(early, to: restored, erased: try Backup.erasures(at: late))
    let list = try Catalog(path: restored.catalogue).erasures()
    #expect(list.map(\.id) == [1, 2])
    // What the copy has not seen is not done: the next start does it.
    #expect(list.map { $0.doneAtMs == nil } == [false, true])
    #expect(throws: BackupError.self) { try Backup.erasures(at: fixture.path) }
  }

  @Test func `that is stopped leaves nothing, and what a kill left is in nobody's way`() throws {
    struct Killed: Error {}
    let fixture = try FolderFixture()
    let copy = fixture.path + "/copy"
    #expect(throws: Killed.self) {
      try Backup.make(of: fixture.data, at: copy) { if $0.file == "format" { throw Killed() } }
    }
    #expect(!fixture.exists(copy))
    let log = try IngestLog(folder: fixture.data.log)
    let mark = Array("\(log.id)".utf8)
    log.close()
    try fixture.write("unfinished", mark, in: copy)
    try fixture.write("files/format", [1], in: copy)
    try Backup.make(of: fixture.data, at: copy)
    try Backup.verify(copy)
    #expect(!fixture.exists(copy + "/unfinished"))
    // What another left is not touched.
    let other = fixture.path + "/other"
    try fixture.write("unfinished", Array("someone else".utf8), in: other)
    #expect(throws: BackupError.self) { try Backup.make(of: fixture.data, at: other) }
    #expect(fixture.exists(other + "/unfinished"))
  }

  @Test(
    arguments: [
      [], ["unfinished"], ["unfinished", "files"], ["unfinished", "files", "manifest.json"],
      ["unfinished", "manifest.json"],
    ]
  )
  func `is made again over what a kill left, wherever it came`(left: [String]) throws {
    let fixture = try FolderFixture()
    let copy = fixture.path + "/copy"
    let log = try IngestLog(folder: fixture.data.log)
    let mark = Array("\(log.id)".utf8)
    log.close()
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
    for name in left {
      switch name {
      // Made, and nothing written to it yet, where nothing else is there.
      case "unfinished": try fixture.write(name, left.count == 1 ? [] : mark, in: copy)
      case "files": try fixture.write("files/format", [1], in: copy)
      default: try fixture.write(name, Array("{}".utf8), in: copy)
      }
    }
    try Backup.make(of: fixture.data, at: copy)
    try Backup.verify(copy)
    #expect(!fixture.exists(copy + "/unfinished"))
  }

  @Test func `that was finished is known again by whoever made it, and by nobody else`() throws {
    let fixture = try FolderFixture()
    let copy = fixture.path + "/copy"
    #expect(Backup.finished(at: copy, mark: "a") == nil)
    let mark = try #require(try Backup.make(of: fixture.data, at: copy).mark)
    #expect(Backup.finished(at: copy, mark: mark)?.files.isEmpty == false)
    #expect(Backup.finished(at: copy, mark: mark + " 2") == nil)
    try fixture.write("unfinished", Array(mark.utf8), in: copy)
    #expect(Backup.finished(at: copy, mark: mark) == nil)
  }

  @Test func `is not made over files beside an empty mark, which may be anybody's`() throws {
    let fixture = try FolderFixture()
    let other = fixture.path + "/other"
    try fixture.write("unfinished", [], in: other)
    try fixture.write("letter.txt", [1], in: other)
    #expect(throws: BackupError.self) { try Backup.make(of: fixture.data, at: other) }
    #expect(fixture.exists(other + "/letter.txt"))
  }

  @Test(arguments: ["catalogue.sqlite", "format", "events.duckdb"])
  func `that was changed or lost a file is not restored`(name: String) throws {
    for isMissing in [false, true] {
      let fixture = try FolderFixture()
      let copy = fixture.path + "/copy"
      try Backup.make(of: fixture.data, at: copy)
      let file = copy + "/files/" + name
      if isMissing {
        try FileManager.default.removeItem(atPath: file)
      } else {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
      }
      let target = fixture.path + "/restored"
      #expect(throws: BackupError.self) {
        try Backup.restore(copy, to: DataFolder(path: target))
      }
      #expect(!fixture.exists(target))
    }
  }

  @Test func `without its list is not finished`() throws {
    let fixture = try FolderFixture()
    let copy = fixture.path + "/copy"
    try Backup.make(of: fixture.data, at: copy)
    try FileManager.default.removeItem(atPath: copy + "/manifest.json")
    #expect(throws: BackupError.self) { try Backup.verify(copy) }
  }

  @Test func `that names files elsewhere is not restored`() throws {
    let fixture = try FolderFixture()
    let copy = fixture.path + "/copy"
    try Backup.make(of: fixture.data, at: copy)
    let list = URL(fileURLWithPath: copy + "/manifest.json")
    let text = try String(contentsOf: list, encoding: .utf8)
    try text.replacingOccurrences(of: "\"format\"", with: "\"../format\"")
      .write(to: list, atomically: true, encoding: .utf8)
    #expect(throws: BackupError.self) { try Backup.verify(copy) }
  }

  @Test func `does not go into what it copies, by whatever name, but into its folder of copies`()
    throws
  {
    let fixture = try FolderFixture()
    let link = fixture.path + "/link"
    try FileManager.default.createSymbolicLink(
      atPath: link,
      withDestinationPath: fixture.data.path
    )
    for (data, place) in [
      (fixture.data.path, fixture.data.path + "/inside"), (fixture.data.path, link + "/a/b"),
      (link, fixture.data.path + "/inside"),
      (fixture.data.path, fixture.path + "/x/../data/inside"),
    ] {
      do {
        try Backup.make(of: DataFolder(path: data), at: place)
        Issue.record("\(place) was taken")
      } catch BackupError.inside {}
    }
    #expect(!fixture.exists(fixture.data.path + "/inside") && !fixture.exists(link + "/a"))
    try Backup.make(of: DataFolder(path: link), at: fixture.data.backups + "/first")
    let next = try Backup.make(of: fixture.data, at: fixture.path + "/next")
    #expect(!next.files.contains { $0.name.contains("backups") })
  }

  @Test func `goes into a new folder, and is made while no server runs`() throws {
    let fixture = try FolderFixture()
    #expect(throws: BackupError.self) {
      try Backup.make(of: fixture.data, at: fixture.data.path)
    }
    #expect(throws: BackupError.self) {
      try Backup.restore(fixture.path + "/none", to: fixture.data)
    }
    let log = try IngestLog(folder: fixture.data.log)
    defer { log.close() }
    #expect(throws: StartError.self) {
      try Backup.make(of: fixture.data, at: fixture.path + "/copy")
    }
  }
}

@Suite struct `The doctor` {
  private func findings(_ fixture: FolderFixture, nowMs: Int64 = .max / 2) -> [String: Finding] {
    let found = Doctor(ServerSettings(data: fixture.data), nowMs: nowMs).examine()
    return Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
  }

  @Test func `finds what is wrong, each by name`() throws {
    let fixture = try FolderFixture()
    chmod(fixture.data.path, 0o755)
    chmod(fixture.data.masterKey, 0o644)
    let found = findings(fixture, nowMs: 0)
    #expect(found["Permissions"]?.isProblem == true)
    #expect(found["Permissions"]?.detail.contains("mode 755") == true)
    #expect(found["Clock"]?.isProblem == true)
    #expect(
      found["Set aside"]?.detail.contains(
        "1 record that the store refused, such as a-1-2: no such column"
      ) == true
    )
    #expect(found["Catalogue"]?.isProblem == false)
    #expect(found["Server"]?.detail == "does not run")
    #expect(found["Ingest log"]?.isProblem == false)
    // Without its library the store cannot be looked at.
    #expect(found["Store"]?.isProblem == true)
  }

  @Test func `is content with what is well`() throws {
    let fixture = try FolderFixture()
    chmod(fixture.data.path, 0o700)
    chmod(fixture.data.masterKey, 0o600)
    let found = findings(fixture)
    #expect(found["Permissions"]?.isProblem == false)
    #expect(found["Clock"]?.isProblem == false)
  }

  @Test func `says that a server runs, and damage of the catalogue`() throws {
    let fixture = try FolderFixture()
    let log = try IngestLog(folder: fixture.data.log)
    try fixture.write("catalogue.sqlite", [UInt8](repeating: 7, count: 4_096))
    let found = findings(fixture)
    #expect(
      found["Server"]?.detail.contains("process \(ProcessInfo.processInfo.processIdentifier)")
        == true
    )
    #expect(found["Catalogue"]?.isProblem == true)
    log.close()
  }

  @Test func `of a folder that is none says that alone`() {
    let found = Doctor(ServerSettings(data: DataFolder(path: "/nonexistent/x"))).examine()
    #expect(found.map(\.name) == ["Versions", "Data folder"])
    #expect(found.last?.isProblem == true)
  }

  @Test func `hands what was set aside to the log again, once`() throws {
    let fixture = try FolderFixture()
    let doctor = Doctor(ServerSettings(data: fixture.data))
    #expect(try doctor.replay() == 1)
    #expect(try doctor.replay() == 0)
    #expect(!fixture.exists(fixture.data.poison + "/a-1-2.record"))
    #expect(!fixture.exists(fixture.data.poison + "/a-1-2.reason"))
    let log = try IngestLog(folder: fixture.data.log)
    defer { log.close() }
    var records: [[UInt8]] = []
    _ = try log.read(from: .start) { bytes, _ in records.append(Array(bytes)) }
    #expect(records == [[1, 2, 3], [9, 9]])
    #expect(throws: StartError.self) { try doctor.replay() }
  }
}
