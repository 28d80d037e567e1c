import EventRecord
import Foundation
import Testing

@testable import Wire

@Suite struct `Parts of streams` {
  @Test(arguments: [
    ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
    ("user-1", "d6d7705392bc7af633328bea8c4c6904"), ("user-2", "3d58ce20fe802793e0b221905baa60b3"),
    (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    (String(repeating: "a", count: 55), "ef1772b6dff9a122358552954ad0df65"),
    (String(repeating: "a", count: 56), "3b0c8ac703f828b04c6c197006d17218"),
    (String(repeating: "a", count: 64), "014842d480b571495a4a0363793f7367"),
  ])
  func `MD5 is that of RFC 1321`(text: String, digest: String) {
    let number = Array(text.utf8).withUnsafeBytes { MD5.number($0) }
    #expect(number == UInt128(digest, radix: 16))
  }

  @Test func `base 64 stands for the same bytes there and back`() {
    for count in 0..<70 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
      let text = bytes.withUnsafeBytes { Base64Text.encode($0) }
      #expect(String(decoding: text, as: UTF8.self) == Data(bytes).base64EncodedString())
      var sink = ByteSink()
      let isGood = text.withUnsafeBytes { Base64Text.decode($0, into: &sink) }
      #expect(isGood && sink.bytes.elementsEqual(bytes))
    }
  }

  @Test(arguments: ["a", "ab", "abc", "abc=a", "ab c", "====", "a===", "YQ=", "YQ==YQ==", "é=="])
  func `what is not base 64 adds nothing`(text: String) {
    var sink = ByteSink()
    sink.append("kept")
    let isGood = Array(text.utf8).withUnsafeBytes { Base64Text.decode($0, into: &sink) }
    #expect(!isGood && sink.count == 4)
  }

  @Test func `shards divide all hashes without gap or overlap`() {
    for count in [1, 2, 3, 4, 5, 7, 64, 999, 1_000] {
      let shards = StreamShards(count: count)
      var next: UInt128 = 0
      for index in 0..<count {
        let range = shards.range(of: index)
        #expect(range.lowerBound == next)
        #expect(shards.index(of: range.lowerBound) == index)
        #expect(shards.index(of: range.upperBound) == index)
        next = range.upperBound &+ 1
      }
      // Behind the last hash there is none.
      #expect(next == 0)
    }
    #expect(StreamShards(count: 2).range(of: 1).lowerBound == 1 << 127)
  }

  @Test func `a place in the log is a number that rises with it`() throws {
    var last = StreamPosition(segment: 0, endOffset: 0, index: 0, recordBytes: 0)
    for (segment, offset, index, bytes) in [
      (1, 200, 0, 100), (1, 200, 1, 100), (1, 5_000_000_000, 0, 9), (2, 100, 499, 33_554_432),
      (500_000, 64, 65_535, 4_294_967_295),
    ] as [(UInt64, UInt64, Int, Int)] {
      let position = StreamPosition(
        segment: segment,
        endOffset: offset,
        index: index,
        recordBytes: bytes
      )
      #expect(last < position && last.sequenceNumber < position.sequenceNumber)
      #expect(StreamPosition(sequenceNumber: position.sequenceNumber) == position)
      last = position
    }
    for text in [
      "", "1", "x", String(repeating: "9", count: 39), String(repeating: "1", count: 39),
    ] {
      #expect(StreamPosition(sequenceNumber: text) == nil)
    }
  }

  @Test func `an iterator is what its token says`() {
    var iterator = ShardIterator(stream: 3, shard: 1, segment: 4, offset: 5, madeAtMs: 6)
    #expect(ShardIterator(token: iterator.token) == iterator)
    iterator.after = StreamPosition(segment: 1, endOffset: 2, index: 3, recordBytes: 4)
    iterator.notBeforeMs = -7
    #expect(ShardIterator(token: iterator.token) == iterator)
    for token in ["", "AAAA", "MS4yLjM=", iterator.token + "A"] {
      #expect(ShardIterator(token: token) == nil)
    }
  }
}
