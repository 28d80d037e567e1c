import FootfallCore
import FootfallJournal
import FootfallPlatform
import FootfallTesting
import Foundation
import Testing

@testable import FootfallEngine

/// Files as the version before notes and common content wrote them.
@Suite(.timeLimit(.minutes(5))) struct `Files of an earlier version` {
  let world = EngineWorld()

  /// How far that version had come when its process ended.
  enum Stop: CaseIterable {
    /// Three events in a batch, the mark written, two events behind it.
    case sealed
    /// The batch has its name, the mark is not written.
    case beforeMark
    /// The batch was delivered and removed.
    case delivered
    /// Nothing was sealed.
    case beforeSealing
  }

  @Test(arguments: Stop.allCases)
  func `everything unsent is delivered once`(stop: Stop) async throws {
    try write(stop)
    let engine = world.engine()
    _ = await engine.flush()
    let expected = stop == .delivered ? ["e3", "e4"] : ["e0", "e1", "e2", "e3", "e4"]
    #expect(world.names(to: EngineWorld.main) == expected)
    #expect(engine.diagnostics.delivered == expected.count)
    #expect(engine.diagnostics.stored == 0)
    engine.shutdown(limitSeconds: 1)
    let again = EngineWorld(files: world.files)
    let relaunched = again.engine()
    _ = await relaunched.flush()
    #expect(again.names(to: EngineWorld.main).isEmpty)
  }

  @Test func `batches and the journal are told apart over several batches`() async throws {
    let journal = try journal()
    let first = try journal.append((0..<3).map(Self.event))
    writeBatch(1, 0..<3, journal.id, through: first)
    try journal.append([Self.mark(first)])
    let second = try journal.append((3..<5).map(Self.event))
    writeBatch(2, 3..<5, journal.id, through: second)
    try journal.append([Self.mark(second)])
    try journal.append((5..<8).map(Self.event))
    journal.close()
    let engine = world.engine()
    _ = await engine.flush()
    #expect(world.names(to: EngineWorld.main) == (0..<8).map { "e\($0)" })
    #expect(engine.diagnostics.dropped.isEmpty)
  }

  @Test func `device, user, numbers and losses are those of the state`() async throws {
    try write(.sealed)
    world.files.setBytes("/client/client.state", Self.state)
    let engine = world.engine()
    await engine.settle()
    #expect(engine.deviceID == "old-device")
    engine.track("new")
    _ = await engine.flush()
    let bodies = world.transport.requests.map { String(decoding: $0.body, as: UTF8.self) }
    let all = bodies.joined()
    let head = #"{"device_id":"old-device","user_id":"old-user","id":"#
    let new = try #require(all.components(separatedBy: head).last)
    #expect(new.contains(#","seq":1001,"#) && new.contains(#""name":"new""#))
    #expect(bodies[0].contains(#""dropped":{"invalid":2}"#))
    #expect(world.names(to: EngineWorld.main) == ["e0", "e1", "e2", "e3", "e4", "new"])
  }

  @Test func `a state from before there was a device id gives way to a new one`() async throws {
    try write(.sealed)
    world.files.setBytes("/client/client.state", Self.file([Self.field(1, [])]))
    let engine = world.engine()
    await engine.settle()
    #expect(engine.deviceID?.isEmpty == false)
  }

  // MARK: The bytes

  private func journal() throws -> Journal {
    try Journal(folder: "/client/journal", files: world.files, random: { 77 })
  }

  private func write(_ stop: Stop) throws {
    let journal = try journal()
    let end = try journal.append((0..<3).map(Self.event))
    if stop == .sealed || stop == .beforeMark { writeBatch(1, 0..<3, journal.id, through: end) }
    if stop == .sealed || stop == .delivered { try journal.append([Self.mark(end)]) }
    if stop == .beforeMark {
      // Nothing was written behind the batch.
      journal.close()
      let later = try Journal(folder: "/client/journal", files: world.files, random: { 78 })
      try later.append((3..<5).map(Self.event))
      return later.close()
    }
    try journal.append((3..<5).map(Self.event))
    journal.close()
  }

  private static func event(_ number: Int) -> [UInt8] {
    let head = #"{"device_id":"old-device","id":"old-\#(number)","seq":\#(number + 1)"#
    return Array((head + #","ts":1764581400123,"name":"e\#(number)"}"#).utf8)
  }

  /// `S`, then the segment and the offset.
  private static func mark(_ end: JournalPosition) -> [UInt8] {
    [0x53] + bytes(end.segment) + bytes(end.offset)
  }

  /// `FFBATCH1`, the journal, the place, count, length, checksum, four bytes, the events.
  private func writeBatch(
    _ number: Int,
    _ events: Range<Int>,
    _ journal: JournalID,
    through end: JournalPosition
  ) {
    let content = Array(events.map(Self.event).joined(separator: Array(",\n".utf8)))
    var head = Array("FFBATCH1".utf8)
    for word in [journal.high, journal.low, end.segment, end.offset] { head += Self.bytes(word) }
    head += Self.bytes(UInt32(events.count)) + Self.bytes(UInt32(content.count))
    let file = head + Self.bytes(Self.checksum(head + content)) + Self.bytes(UInt32(0)) + content
    let name =
      String(repeating: "0", count: 11) + "\(number)-\(events.count)-\(content.count).batch"
    world.files.setBytes("/client/batches/" + name, file)
  }

  private static let state = file([
    field(1, Array("old-device".utf8)), field(2, Array("old-user".utf8)), field(3, bytes(1_001)),
    field(4, bytes(2) + Array("invalid".utf8)),
  ])

  private static func field(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] {
    [kind] + bytes(UInt32(content.count)) + content
  }

  private static func file(_ fields: [[UInt8]]) -> [UInt8] {
    let content = Array("FFSTATE1".utf8) + fields.joined()
    return content + bytes(checksum(content))
  }

  private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func bytes(_ number: Int64) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var checksum = CRC32C()
    bytes.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }
}
