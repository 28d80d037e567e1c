import Foundation
import Testing

@testable import Wire

@Suite struct `Phase's screens` {
  @Test("PHA-23 every sent name of the table becomes the kept one")
  func table() throws {
    let text = try String(
      contentsOf: Fixtures.folder.appendingPathComponent("phase/screens.tsv"),
      encoding: .utf8
    )
    let rows = text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(rows.count == 31)
    for row in rows {
      try #require(row.count == 3)
      #expect(PhaseRules.screenName(String(row[1])) == row[2], "\(row[0])")
    }
  }

  @Test(arguments: [
    ("/users/42/orders/7/", "/users/:id/orders/:id"), ("/A//B?c=1", "/a/b"), ("/a#b", "/a"),
    ("home", "home"),
  ])
  func `what an old client sends is brought into form too`(sent: String, kept: String) {
    #expect(PhaseRules.screenName(sent) == kept)
  }

  @Test(arguments: [
    ("iPhone17,1", "iPhone 16 Pro"), ("iPhone99,1", "iPhone"), ("iPad13,4", "iPad"),
    ("Watch7,1", "Apple Watch"), ("AppleTV14,1", "Apple TV"),
    ("RealityDevice14,1", "Apple Vision Pro"), ("Pixel 9", "Pixel 9"), ("Mac16,1", "Mac16,1"),
  ])
  func `a machine's id becomes what people call it`(model: String, name: String) {
    #expect(AppleModel.name(model) == name)
  }

  @Test(arguments: [0, 1, 951_782_400_000, 951_868_799_999, 1_782_900_000_123, 253_402_300_799_999])
  func `a time is written as it is read`(ms: Int64) {
    var text = UTCTime(ms).extended
    #expect(text.count == 24)
    #expect(text.withUTF8 { Timestamp.read(UnsafeRawBufferPointer($0)) } == ms)
  }

  @Test func `an id sorts by its time and has it in its first ten digits`() {
    let scratch = WireScratch()
    #expect(scratch.ulid(atMs: 0x0123_4567_89ab).hasPrefix("014D2PF2DB"))
    #expect(scratch.ulid(atMs: 1) < scratch.ulid(atMs: 2))
    #expect(scratch.ulid(atMs: 1) != scratch.ulid(atMs: 1))
  }
}
