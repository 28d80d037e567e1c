import FootfallSystem

/// A part of a segment's file in memory, which moves forward as it is asked for.
///
/// Not for two threads at once.
final class SegmentWindow {
  private let file: any OpenFile
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private var start: UInt64 = 0
  private var count = 0
  /// Where the file ends for the reader; lowered if it turns out shorter.
  private(set) var limit: UInt64
  /// Whether the disk failed to give some bytes, which stand as zeros.
  private(set) var unreadable: Range<UInt64>?

  /// `wanted` is how many bytes the reader is likely to ask for; more can be had.
  init(_ file: any OpenFile, from offset: UInt64 = 0, limit: UInt64, wanted: Int = .max) {
    self.file = file
    self.limit = limit
    let expected = limit > offset ? Int(clamping: limit - offset) : 0
    capacity = max(4_096, min(256 << 10, expected, wanted))
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  /// At least `count` bytes at `offset`, and what lies behind them in memory; nil past the end.
  ///
  /// Valid until the next call.
  func bytes(at offset: UInt64, _ count: Int) throws(SystemError) -> UnsafeRawBufferPointer? {
    guard offset + UInt64(count) <= limit else { return nil }
    if offset < start || offset + UInt64(count) > start + UInt64(self.count) {
      try load(offset, count)
      guard offset + UInt64(count) <= limit else { return nil }
    }
    let skipped = Int(offset - start)
    return UnsafeRawBufferPointer(start: memory + skipped, count: self.count - skipped)
  }

  private func load(_ offset: UInt64, _ needed: Int) throws(SystemError) {
    if needed > capacity {
      memory.deallocate()
      capacity = needed
      memory = .allocate(byteCount: capacity, alignment: 16)
    }
    let wanted = min(capacity, Int(clamping: limit - offset))
    let buffer = UnsafeMutableRawBufferPointer(start: memory, count: wanted)
    start = offset
    count = 0
    do throws(SystemError) {
      count = try file.read(into: buffer, at: offset)
    } catch {
      guard error.isMediaFailure else { throw error }
      count = try loadAround(buffer, at: offset)
    }
    if count < wanted { limit = offset + UInt64(count) }
  }

  /// Reads block by block, with zeros for the blocks that the disk cannot give.
  private func loadAround(
    _ buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(SystemError) -> Int {
    let block = 4_096
    var done = 0
    while done < buffer.count {
      let place = offset + UInt64(done)
      // Blocks are aligned in the file, so that one bad block costs no neighbour.
      let size = min(buffer.count - done, block - Int(place % UInt64(block)))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<(done + size)])
      do throws(SystemError) {
        let count = try file.read(into: part, at: place)
        done += count
        if count < size { break }
      } catch {
        guard error.isMediaFailure else { throw error }
        part.initializeMemory(as: UInt8.self, repeating: 0)
        unreadable = (unreadable?.lowerBound ?? place)..<(place + UInt64(size))
        done += size
      }
    }
    return done
  }
}
