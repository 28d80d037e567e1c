import FootfallJournal
import Foundation
import IngestLog
import Testing

@Suite struct `Looking into a log` {
  /// A folder that is gone when the test is over.
  private final class Folder {
    let path = NSTemporaryDirectory() + "footfall-look-" + UUID().uuidString

    deinit {
      do { try FileManager.default.removeItem(atPath: path) } catch { print(error) }
    }

    /// The files, but for the lock.
    func contents() throws -> [String: Data] {
      var contents: [String: Data] = [:]
      for name in try FileManager.default.contentsOfDirectory(atPath: path)
      where !name.hasSuffix(".lock") {
        contents[name] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
      }
      return contents
    }

    /// The segments' files, oldest first.
    func segments() throws -> [URL] {
      try FileManager.default.contentsOfDirectory(atPath: path)
        .filter { $0.hasSuffix(".journal") }.sorted().map { URL(fileURLWithPath: path + "/" + $0) }
    }

    /// Flips a bit.
    func damage(_ file: URL, at offset: (Int) -> Int) throws {
      var bytes = try Data(contentsOf: file)
      bytes[offset(bytes.count)] ^= 1
      try bytes.write(to: file)
    }
  }

  /// A log of two segments with five records each.
  private static func filled() throws -> Folder {
    let folder = Folder()
    for segment in 0..<2 {
      let log = try IngestLog(folder: folder.path, keepsItself: false)
      for number in 0..<5 {
        _ = log.submit([UInt8](repeating: UInt8(10 * segment + number), count: 100)) { _ in }
      }
      log.drain()
      log.close()
    }
    return folder
  }

  private static func read(_ folder: Folder) throws -> LogReading {
    let log = try IngestLog(lookingInto: folder.path)
    defer { log.close() }
    return try log.readThrough()
  }

  @Test func `finds every record and changes nothing`() throws {
    let folder = try Self.filled()
    let before = try folder.contents()
    let reading = try Self.read(folder)
    #expect(reading.records == 10 && reading.gaps.isEmpty && reading.tornTail == nil)
    #expect(try folder.contents() == before)
  }

  @Test func `holds it, so that nobody writes meanwhile`() throws {
    let folder = try Self.filled()
    let log = try IngestLog(lookingInto: folder.path)
    defer { log.close() }
    #expect(throws: IngestLogError.self) { try IngestLog(folder: folder.path) }
  }

  @Test func `finds damage of a segment that opening does not read`() throws {
    let folder = try Self.filled()
    try folder.damage(try #require(folder.segments().first)) { _ in 64 + 20 }
    let before = try folder.contents()
    let log = try IngestLog(lookingInto: folder.path)
    defer { log.close() }
    #expect(log.recovery.gaps.isEmpty)
    let reading = try log.readThrough()
    #expect(reading.records == 9)
    #expect(reading.gaps.map(\.position) == [JournalPosition(segment: 1, offset: 64)])
    #expect(try folder.contents() == before)
  }

  @Test func `leaves an end that cannot be read where it is`() throws {
    let folder = try Self.filled()
    try folder.damage(try #require(folder.segments().last)) { $0 - 1 }
    let before = try folder.contents()
    let reading = try Self.read(folder)
    #expect(reading.records == 9 && reading.gaps.isEmpty)
    #expect(reading.tornTail?.position.segment == 2)
    #expect(try folder.contents() == before)
    // An opening that writes cuts it.
    try IngestLog(folder: folder.path, keepsItself: false).close()
    #expect(try folder.contents() != before)
  }

  @Test func `of a folder without an id makes none`() throws {
    let folder = try Self.filled()
    try FileManager.default.removeItem(atPath: folder.path + "/journal.id")
    let before = try folder.contents()
    #expect(try Self.read(folder).records == 10)
    #expect(try folder.contents() == before)
  }
}
