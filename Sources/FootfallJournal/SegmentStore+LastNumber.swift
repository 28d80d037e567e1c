import FootfallSystem

/// The number of the last segment that was made durable, in a file of its own: so that it is neither given
/// out again nor forgotten when somebody deletes the segment.
///
/// One line of text: `footfall-journal-last <number> <checksum of the words before>`.
extension SegmentStore {
  private var lastNumberPath: String { folder + "/journal.last" }

  /// The number; nil where none was written down, or it cannot be read.
  func lastNumber() -> UInt64? {
    guard files.exists(lastNumberPath) else { return nil }
    do throws(SystemError) {
      let bytes = try files.readAll(lastNumberPath)
      let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
      guard words.count == 3, let number = UInt64(words[1]),
        bytes.elementsEqual(Self.checkedLine("\(words[0]) \(words[1])").utf8)
      else { return nil }
      return number
    } catch {
      // The segments themselves tell their numbers; this is for when they are gone.
      return nil
    }
  }

  /// Writes the number down; not synced, as the segment's own name tells it as long as it is there.
  func note(lastNumber number: UInt64) {
    do throws(SystemError) {
      let draft = lastNumberPath + ".new"
      let file = try files.open(draft, .append)
      try file.truncate(to: 0)
      try file.writeAll(Array(Self.checkedLine("footfall-journal-last \(number)").utf8))
      try files.rename(draft, to: lastNumberPath)
    } catch {
      // The records are durable all the same; only a deleted segment would not be noticed.
    }
  }
}
