import EventRecord
import Testing

@testable import Wire

@Suite struct `Known keys` {
  /// Keys up to and over the longest that is remembered, and near misses of each.
  private static let keys: [String] = (0...18).flatMap { length in
    let key = String("abcdefghijklmnopqr".prefix(length))
    let others = key.indices.flatMap { index in
      ["`", "c", "\u{7f}", "!"].map { other in
        key.replacingCharacters(at: index, with: other)
      }
    }
    return [key, key + "q", "q" + key] + others
  }

  @Test func `a key is known by all of its bytes and nothing else`() throws {
    for key in Self.keys {
      let text = Array("\"\(key)\":1                ".utf8)
      let known = try text.withUnsafeBytes { bytes in
        var scanner = JSONScanner(bytes)
        return scanner.knownKey(try scanner.string(), hash: 1)
      }
      #expect((known != nil) == (key.utf8.count <= 14))
      guard let known else { continue }
      for other in Self.keys {
        let otherText = Array("\"\(other)\":1                ".utf8)
        let (length, offset) = otherText.withUnsafeBytes { bytes in
          var scanner = JSONScanner(bytes)
          return (scanner.string(known)?.count, scanner.offset)
        }
        if other == key {
          #expect(length == key.utf8.count && offset == key.utf8.count + 2)
        } else if length != nil || offset != 0 {
          Issue.record("\(other) was taken for \(key)")
        }
      }
    }
  }

  @Test func `nothing is known at first, and nothing near the end of the text`() throws {
    let text = Array(#""id":"0123456789""#.utf8)
    try text.withUnsafeBytes { bytes in
      var scanner = JSONScanner(bytes)
      #expect(scanner.string(KnownKey()) == nil)
      let known = scanner.knownKey(try scanner.string(), hash: 0)
      #expect(known != nil)
      var short = JSONScanner(UnsafeRawBufferPointer(rebasing: bytes[..<15]))
      if let known { #expect(short.string(known) == nil) }
      #expect(short.knownKey(try short.string(), hash: 0) == nil)
    }
  }

  @Test func `objects with changing keys are copied as they are`() throws {
    let source = """
      [ {"ab":1,"cd":2,"a key of 20 letters":3},{"cd":1,"ab":2,"a key of 20 letterz":3},
      {"ab":1,"ab":2},{"cd":{"ab":1,"cd":2},"ab":3,"cd":4},{"a\\u0062":1,"ab":2,"cd":3},
      {"ab":1,"cd":2,"ab":3},{ "ab" : 1 , "cd" : 2 , "x" : "\(String(repeating: "y", count: 20))"} ]
      """
    let expected = """
      [{"ab":1,"cd":2,"a key of 20 letters":3},{"cd":1,"ab":2,"a key of 20 letterz":3},\
      {"ab":2},{"ab":3,"cd":4},{"ab":2,"cd":3},{"cd":2,"ab":3},\
      {"ab":1,"cd":2,"x":"\(String(repeating: "y", count: 20))"}]
      """
    var copier = JSONCopier(seed: 1)
    // Twice: what is known outlives the text that it was read from.
    for _ in 0..<2 {
      var sink = ByteSink()
      try Array(source.utf8).withUnsafeBytes { bytes in
        copier.scanner = JSONScanner(bytes)
        copier.beginEvent()
        _ = try copier.copy(into: &sink)
      }
      #expect(String(decoding: sink.bytes, as: UTF8.self) == expected)
    }
  }
}

extension String {
  fileprivate func replacingCharacters(at index: Index, with other: String) -> String {
    self[..<index] + other + self[self.index(after: index)...]
  }
}
