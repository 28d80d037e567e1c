import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallJournal

@Suite struct `Damage` {
  /// Two segments with a few records, of which some are empty and some look like structure.
  struct Sample {
    let files = MemoryFiles()
    var frames: [(path: String, range: Range<Int>, text: String)] = []

    init() throws {
      let journal = try open(files)
      let segments = [["alpha", "", "gamma ray"], ["delta", "footfall", "", "zeta"]]
      for texts in segments {
        for text in texts {
          let end = Int(try journal.append(text).offset)
          let path = try #require(files.segmentPaths.last)
          frames.append((path, (end - 12 - text.utf8.count)..<end, text))
        }
        try journal.seal()
      }
      journal.close()
    }
  }

  @Test func `a journal cut at any byte gives the frames before the cut, and works on`() throws {
    let sample = try Sample()
    for path in sample.files.segmentPaths {
      let bytes = try #require(sample.files.bytes(path))
      for cut in 0..<bytes.count {
        let files = sample.files.copy()
        files.setBytes(path, Array(bytes.prefix(cut)))
        let expected = sample.frames.filter { $0.path != path || $0.range.upperBound <= cut }
        let journal = try open(files, random: SeededRandom(cut.seed))
        #expect(try journal.texts() == expected.map(\.text), "cut at \(cut)")
        if path == sample.files.segmentPaths.last {
          let starts = [64] + expected.filter { $0.path == path }.map(\.range.upperBound)
          let whole = starts.last ?? 64
          #expect((journal.recovery.tornTail != nil) == (cut > 64 && cut != whole), "cut at \(cut)")
        }
        try journal.append("after")
        #expect(try journal.texts() == expected.map(\.text) + ["after"], "cut at \(cut)")
        journal.close()
        let again = try open(files, random: SeededRandom(cut.seed + 1))
        #expect(again.recovery.tornTail == nil)
        #expect(try again.texts() == expected.map(\.text) + ["after"], "cut at \(cut)")
      }
    }
  }

  @Test(arguments: [0, 10, 70, 95, 150, 400], [true, false])
  func `a segment whose length others change keeps what was not synced yet, and what comes later`(
    length: Int,
    isSynced: Bool
  ) throws {
    let files = MemoryFiles()
    let journal = try open(files)
    for text in ["one", "two"] { try journal.append(text) }
    try journal.sync()
    try journal.append("three")
    if isSynced { try journal.sync() }
    let path = try #require(files.segmentPaths.last)
    files.changeBytes(path) { bytes in
      Array((bytes + [UInt8](repeating: 9, count: 400)).prefix(length))
    }
    for text in ["four", "five"] { try journal.append(text) }
    try journal.sync()
    try journal.append("six")
    let kept = isSynced ? ["four", "five", "six"] : ["three", "four", "five", "six"]
    let found = try journal.texts()
    #expect(found.suffix(kept.count) == kept)
    #expect(Set(found).count == found.count)
    #expect(Set(found).isSubset(of: ["one", "two", "three"] + kept))
    journal.close()
    #expect(try open(files, random: SeededRandom(8)).texts().suffix(kept.count) == kept)
  }

  @Test func `any flipped bit costs the frame it is in, nothing else, and is reported`() throws {
    let sample = try Sample()
    for path in sample.files.paths {
      let bytes = try #require(sample.files.bytes(path))
      for bit in 0..<(bytes.count * 8) {
        let files = sample.files.copy()
        var damaged = bytes
        damaged[bit / 8] ^= 1 << (bit % 8)
        files.setBytes(path, damaged)
        let expected = sample.frames.filter { $0.path != path || !$0.range.contains(bit / 8) }
        let journal = try open(files, random: SeededRandom(bit.seed))
        let (payloads, read) = try journal.everything()
        #expect(
          payloads.map { String(decoding: $0, as: UTF8.self) } == expected.map(\.text),
          "bit \(bit) of \(path)"
        )
        if path.hasSuffix(".journal") {
          let gaps = read.gaps + (journal.recovery.tornTail.map { [$0] } ?? [])
          #expect(gaps.count == 1, "bit \(bit) of \(path)")
          #expect(gaps.first.map { $0.contains(bit / 8) } == true, "bit \(bit) of \(path)")
        }
      }
    }
  }

  @Test func `opening tells the damage of the last segment, and of all if asked`() throws {
    let sample = try Sample()
    for path in sample.files.segmentPaths {
      var bytes = try #require(sample.files.bytes(path))
      bytes[70] ^= 1
      sample.files.setBytes(path, bytes)
    }
    #expect(try open(sample.files.copy()).recovery.gaps.map(\.position.segment) == [2])
    var configuration = Journal.Configuration()
    configuration.scansAllSegments = true
    let recovery = try open(sample.files, configuration).recovery
    #expect(recovery.gaps.map(\.position.segment) == [1, 2])
    #expect(recovery.gaps.map(\.reason) == [.damaged, .damaged])
    #expect(recovery.frames == 5)
  }

  @Test(arguments: 0..<40)
  func `bytes overwritten at random leave exactly the frames they miss`(seed: Int) throws {
    let random = SeededRandom(seed.seed)
    let files = MemoryFiles()
    let journal = try open(files, random: random)
    var frames: [(range: Range<Int>, payload: [UInt8])] = []
    for _ in 0..<50 {
      let payload = (0..<random.next(below: 400)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      let end = Int(try journal.append(payload).offset)
      frames.append(((end - 12 - payload.count)..<end, payload))
    }
    journal.close()
    let path = try #require(files.segmentPaths.first)
    var bytes = try #require(files.bytes(path))
    var hit: [Range<Int>] = []
    for _ in 0..<3 {
      let start = random.next(below: bytes.count)
      let end = min(bytes.count, start + 1 + random.next(below: 600))
      for index in start..<end { bytes[index] = ~bytes[index] }
      hit.append(start..<end)
    }
    files.setBytes(path, bytes)
    // Where two hits overlap, bytes are back to what they were.
    let original = Set(
      (0..<bytes.count).filter { index in
        hit.filter { $0.contains(index) }.count % 2 == 1
      }
    )
    let expected = frames.filter { frame in !frame.range.contains { original.contains($0) } }
    #expect(try open(files, random: random).everything().payloads == expected.map(\.payload))
  }

  @Test func `frames inside a payload are never taken for frames`() throws {
    let random = SeededRandom()
    let files = MemoryFiles()
    let journal = try open(files, random: random)
    try journal.append("first")
    try journal.append("second")
    // A record that is a copy of the journal so far, down to the salt of its own segment.
    let path = try #require(files.segmentPaths.first)
    let copy = try #require(files.bytes(path))
    let end = Int(try journal.append(copy).offset)
    try journal.append("last")
    journal.close()
    #expect(try open(files.copy()).everything().payloads[2] == copy)
    let bytes = try #require(files.bytes(path))
    // With the head of the record destroyed, its payload is searched for frames.
    for index in (end - copy.count - 12)..<(end - copy.count) {
      var damaged = bytes
      damaged[index] ^= 0xff
      let trial = files.copy()
      trial.setBytes(path, damaged)
      #expect(try open(trial).texts() == ["first", "second", "last"])
    }
  }

  @Test func `frames made with the salts of other segments do not pass either`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    try journal.append("first")
    try journal.seal()
    let stolen = try #require(files.segmentPaths.first.flatMap { files.bytes($0) })
    try journal.append("second")
    let end = Int(try journal.append(stolen).offset)
    try journal.append("last")
    journal.close()
    let path = try #require(files.segmentPaths.last)
    var bytes = try #require(files.bytes(path))
    bytes[end - stolen.count - 1] ^= 1
    files.setBytes(path, bytes)
    #expect(try open(files).texts() == ["first", "second", "last"])
  }

  @Test func `a segment that somebody deleted or cut is reported when it is read`() throws {
    let sample = try Sample()
    let paths = sample.files.segmentPaths
    let journal = try open(sample.files)
    let cut = try #require(sample.files.bytes(paths[1])?.prefix(70))
    sample.files.setBytes(paths[0], nil)
    sample.files.setBytes(paths[1], Array(cut))
    let read = try journal.everything().read
    #expect(read.frames == 0 && read.reachedEnd && read.next == journal.end)
    #expect(read.gaps.map(\.reason) == [.missing, .damaged, .missing])
  }

  @Test(arguments: [".journal", ".retired"])
  func `a file with a number that nobody gave is not the journal's`(suffix: String) throws {
    let sample = try Sample()
    let foreign = "\(folder)/\(UInt64.max)-00000000000000ff\(suffix)"
    sample.files.setBytes(foreign, [])
    let journal = try open(sample.files)
    try journal.append("after")
    #expect(try journal.texts() == sample.frames.map(\.text) + ["after"])
    #expect(sample.files.bytes(foreign) == [])
  }

  @Test func `a segment whose salt is lost altogether is kept, not cut`() throws {
    let sample = try Sample()
    let path = try #require(sample.files.segmentPaths.last)
    var bytes = try #require(sample.files.bytes(path))
    bytes[20] ^= 1
    sample.files.setBytes(path, nil)
    sample.files.setBytes(folder + "/000000000002-00000000000000ff.journal", bytes)
    let journal = try open(sample.files)
    #expect(journal.recovery.tornTail == nil)
    #expect(journal.recovery.gaps.map(\.reason) == [.header, .damaged])
    #expect(sample.files.bytes(folder + "/000000000002-00000000000000ff.journal") == bytes)
  }

  @Test func `a disk block that cannot be read costs the frames in it and is never cut`() throws {
    let files = MemoryFiles()
    let journal = try open(files)
    let record = String(repeating: "r", count: 1_012)
    for _ in 0..<20 { try journal.append(record) }
    journal.close()
    let path = try #require(files.segmentPaths.first)
    let size = try #require(files.bytes(path)?.count)
    let reads = ReadFailures(from: 8_192)
    let failing = ReadFailingFiles(base: files, failures: reads)
    let again = try Journal(folder: folder, files: failing)
    #expect(again.recovery.tornTail == nil)
    #expect(again.recovery.gaps.map(\.reason) == [.unreadable])
    // Frames are 1,024 bytes and start at 64: the block of 4,096 bytes touches five of them.
    #expect(again.recovery.frames == 15)
    #expect(files.bytes(path)?.count == size)
  }
}

extension Int {
  /// A seed of its own for every place of damage.
  fileprivate var seed: UInt64 { UInt64(self) + 1_000 }
}

extension JournalGap {
  fileprivate func contains(_ offset: Int) -> Bool {
    position.offset <= UInt64(offset) && UInt64(offset) < position.offset + bytes
  }
}
