import FootfallSystem

extension SegmentStore {
  /// The journal's id: from its file, else from a segment, else a new one.
  ///
  /// The file is one line of text: `footfall-journal 1 <id> <checksum of the words before>`. It
  /// is written again where it is missing or damaged.
  func identity(
    of segments: [SegmentName],
    random: () -> UInt64
  ) throws(JournalError) -> JournalID {
    if let id = try savedIdentity() { return id }
    let id = identity(inHeadersOf: segments) ?? JournalID(high: random(), low: random())
    try mappingErrors { () throws(SystemError) in try saveIdentity(id) }
    return id
  }

  private func savedIdentity() throws(JournalError) -> JournalID? {
    guard files.exists(idPath) else { return nil }
    let bytes = try mappingErrors { () throws(SystemError) in try files.readAll(idPath) }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    guard words.count == 4, let version = UInt32(words[1]) else { return nil }
    guard bytes.elementsEqual(Self.checkedLine("\(words[0]) \(words[1]) \(words[2])").utf8) else {
      return nil
    }
    guard version <= SegmentHeader.supportedVersion else {
      throw .newerFormat(found: version, supported: SegmentHeader.supportedVersion)
    }
    return JournalID(words[2])
  }

  private func identity(inHeadersOf segments: [SegmentName]) -> JournalID? {
    for name in segments.reversed() {
      do {
        if let header = try header(of: open(name)) { return header.id }
      } catch {
        // Another segment may be readable.
      }
    }
    return nil
  }

  /// Not synced here, so that a first start stays quick: every segment repeats the id.
  private func saveIdentity(_ id: JournalID) throws(SystemError) {
    let line = Self.checkedLine("footfall-journal \(SegmentHeader.supportedVersion) \(id)")
    let file = try files.open(idPath, .append)
    try file.truncate(to: 0)
    try file.writeAll(Array(line.utf8))
  }

  /// A line of words with their checksum behind them.
  static func checkedLine(_ words: String) -> String {
    let checksum = Array(words.utf8).withUnsafeBytes { CRC32C.of($0) }
    return words + " " + UInt64(checksum).hexadecimal + "\n"
  }
}
