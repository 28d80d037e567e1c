import Archives
import DuckDBStore
import EventStore
import Foundation
import Insights
import Testing

@Suite struct `Lines in ZIP archives` {
  /// A folder that is gone when the test is over.
  private final class Folder {
    let path = NSTemporaryDirectory() + "footfall-archives-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
      do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
    }

    var zip: String { path + "/export.zip" }
    var lines: String { path + "/lines" }

    func text() throws -> String { try String(contentsOfFile: lines, encoding: .utf8) }
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `files come out one after the other, gzip or not, and nothing else does`() throws {
    let folder = try Folder()
    try ZipFile.write(folder.zip) { zip in
      try zip.add("123456/", .folder)
      try zip.add(
        "123456/1_0.json.gz",
        .file,
        try ZipFile.gzip(Self.bytes("{\"a\":1}\n{\"a\":2}"))
          + ZipFile.gzip(Self.bytes("\n{\"a\":3}"))
      )
      try zip.add("123456/empty.json")
      try zip.add("__MACOSX/123456/._1_0.json.gz", .file, Self.bytes("noise"))
      try zip.add("123456/.DS_Store", .file, Self.bytes("noise"))
      try zip.add("2.ndjson", .file, Self.bytes("{\"b\":1}\n"))
    }
    #expect(ZipLines.isZip(folder.zip))
    #expect(try ZipLines().unpack(folder.zip, to: folder.lines) == 3)
    #expect(try folder.text() == "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"b\":1}\n")
    let mode = try FileManager.default.attributesOfItem(atPath: folder.lines)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(!ZipLines.isZip(folder.lines))
    #expect(!ZipLines.isZip(folder.path + "/none"))
  }

  @Test(arguments: [
    ("../escape.json", ZipFile.Kind.file, "outside"), ("a/../../b.json", .file, "outside"),
    ("/etc/lines.json", .file, "outside"), ("..\\lines.json", .file, "outside"),
    ("link.json", .link, "a link"), ("nested.zip", .file, "no file of JSON lines"),
    ("notes.txt", .file, "no file of JSON lines"),
  ])
  func `what is no honest file is refused by name, and nothing is written elsewhere`(
    name: String,
    kind: ZipFile.Kind,
    reason: String
  ) throws {
    let folder = try Folder()
    try ZipFile.write(folder.zip) { zip in
      try zip.add("good.json", .file, Self.bytes("{}\n"))
      try zip.add(name, kind, kind == .file ? Self.bytes("{}\n") : [])
    }
    let problem = #expect(throws: ArchiveProblem.self) {
      try ZipLines().unpack(folder.zip, to: folder.lines)
    }
    #expect(problem?.description.contains(reason) == true, "\(problem?.description ?? "")")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        == ["export.zip", "lines"]
    )
  }

  @Test(arguments: [1, 2, 3])
  func `an archive from which too much comes is stopped at the bound`(layers: Int) throws {
    let folder = try Folder()
    // 64 MiB of spaces are some dozens of KB in gzip, and some hundreds of bytes in gzip of gzip.
    let bomb = try ZipFile.gzip([UInt8](repeating: 0x20, count: 64 << 20), times: layers)
    try ZipFile.write(folder.zip) { try $0.add("bomb.json.gz", .file, bomb) }
    var bounds = ZipLines()
    bounds.freeBytes = 1 << 20
    let problem = #expect(throws: ArchiveProblem.self) {
      try bounds.unpack(folder.zip, to: folder.lines)
    }
    #expect(problem?.description.contains("have come out") == true)
    let size = try FileManager.default.attributesOfItem(atPath: folder.lines)[.size] as? Int
    #expect(try #require(size) <= max(1 << 20, 200 * bomb.count + 200_000))
    bounds.maxRatio = .max
    #expect(try bounds.unpack(folder.zip, to: folder.lines) == 1)
  }

  @Test func `too many files, a damaged archive, an encrypted one and one without files`() throws {
    let folder = try Folder()
    try ZipFile.write(folder.zip) { zip in
      for index in 0..<3 { try zip.add("\(index).json", .file, Self.bytes("{}\n")) }
    }
    var bounds = ZipLines()
    bounds.maxFiles = 2
    #expect(throws: ArchiveProblem.self) { try bounds.unpack(folder.zip, to: folder.lines) }

    let line = Self.bytes("{\"name\":\"a name that can be found again\"}\n")
    try ZipFile.write(folder.zip) { try $0.add("a.json.gz", .file, try ZipFile.gzip(line)) }
    let whole = try Data(contentsOf: URL(fileURLWithPath: folder.zip))
    // Anywhere in the file's bytes: behind a head of 30 bytes, a name and more, whose lengths are in the head, and
    // before the list of files. The last bits may mean nothing.
    let start = 30 + Int(whole[26]) + Int(whole[28]) + 256 * Int(whole[29])
    let list = try #require(whole.range(of: Data([0x50, 0x4b, 1, 2]))?.lowerBound)
    try #require(start < list - 40)
    for place in start..<list - 30 {
      var damaged = whole
      damaged[place] ^= 0x55
      try damaged.write(to: URL(fileURLWithPath: folder.zip))
      #expect(throws: ArchiveProblem.self, "byte \(place)") {
        try ZipLines().unpack(folder.zip, to: folder.lines)
      }
    }
    try whole.prefix(60).write(to: URL(fileURLWithPath: folder.zip))
    #expect(throws: ArchiveProblem.self) { try ZipLines().unpack(folder.zip, to: folder.lines) }

    try ZipFile.write(folder.zip, passphrase: "secret") { try $0.add("a.json", .file, line) }
    let locked = #expect(throws: ArchiveProblem.self) {
      try ZipLines().unpack(folder.zip, to: folder.lines)
    }
    #expect(locked?.description.contains("encrypted") == true)

    try ZipFile.write(folder.zip) { try $0.add("folder/", .folder) }
    #expect(throws: ArchiveProblem.self) { try ZipLines().unpack(folder.zip, to: folder.lines) }
  }

  @Test func `an Amplitude export is imported as it was downloaded, once`() throws {
    let folder = try Folder()
    try ZipFile.write(folder.zip) { zip in
      for hour in 0..<3 {
        let lines = (0..<10).map { index in
          """
          {"event_type":"Song Played","user_id":"user-1","$insert_id":"\(hour)-\(index)",\
          "event_time":"2023-10-24 1\(hour):16:24.123000"}

          """
        }
        let end = hour == 1 ? "{\"event_type\":\"\"}\n" : ""
        let bytes = try ZipFile.gzip(Self.bytes(lines.joined() + end))
        try zip.add("187520/187520_2023-10-24_1\(hour)#0.json.gz", .file, bytes)
      }
    }
    let store = try DuckDBEventStore(
      path: folder.path + "/events.duckdb",
      library: try Self.library()
    )
    defer { store.close() }
    var refused: [ImportRefusal] = []
    func add(_ format: TransferFormat) throws -> ImportResult {
      try store.importEvents(
        ImportRequest(folder.zip, format, project: 1),
        cancellation: nil,
        refused: { refused.append($0) },
        progress: { _ in }
      )
    }
    #expect(try add(.amplitude).stored == 30)
    #expect(try add(.amplitude).duplicates == 30)
    #expect(try RecentEvents(project: 1).run(on: store).count == 30)
    #expect(
      refused.first
        == ImportRefusal(
          file: "187520/187520_2023-10-24_11#0.json.gz",
          line: 11,
          reason: "it has no event_type"
        )
    )
    #expect(throws: ImportProblem.self) { try add(.csv) }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/events.duckdb.unpacked"))
  }

  /// DuckDB's library, which `script/bootstrap` puts into `share/footfall`.
  private static func library() throws -> String {
    let folder =
      ProcessInfo.processInfo.environment["FOOTFALL_SHARE"]
      ?? #filePath.split(separator: "/").dropLast(4).reduce("") { $0 + "/" + $1 }
      + "/share/footfall"
    try #require(
      FileManager.default.fileExists(atPath: folder + "/libduckdb.so"),
      "run script/bootstrap first"
    )
    return folder + "/libduckdb.so"
  }
}
