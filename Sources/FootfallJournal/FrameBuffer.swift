/// Frames one after another, ready to be written.
///
/// Safety: the memory belongs to one buffer value that is only moved, never shared; the journal's
/// lock guards it.
final class FrameBuffer: @unchecked Sendable {
  private var memory: UnsafeMutableRawPointer
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int = 4_096) {
    self.capacity = capacity
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  var isEmpty: Bool { count == 0 }

  /// The bytes from `start` on; valid until the buffer changes.
  func bytes(from start: Int = 0) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: memory + start, count: count - start)
  }

  /// Adds a frame that will lie at `offset` of its segment.
  func append(
    _ payload: UnsafeRawBufferPointer,
    checksum: UInt32,
    format: FrameFormat,
    at offset: UInt64
  ) {
    let marks = format.marks(at: offset)
    let head = FrameHead(
      magic: marks.magic,
      length: UInt32(payload.count),
      check: checksum ^ marks.mask
    )
    reserve(FrameFormat.headBytes + payload.count)
    head.store(to: memory + count)
    if let start = payload.baseAddress {
      (memory + count + FrameFormat.headBytes).copyMemory(from: start, byteCount: payload.count)
    }
    count += FrameFormat.headBytes + payload.count
  }

  /// Adds the frames of another buffer that begin at `offset` of a segment, without their marks:
  /// what is left does not belong to any place.
  func appendUnmarked(_ other: FrameBuffer, format: FrameFormat, at offset: UInt64) {
    append(other) { head, place in
      head.magic = 0
      head.check ^= format.marks(at: offset + UInt64(place)).mask
    }
  }

  /// Adds unmarked frames of another buffer with the marks of their new place at `offset`.
  func appendMarking(_ other: FrameBuffer, format: FrameFormat, at offset: UInt64) {
    append(other) { head, place in
      let marks = format.marks(at: offset + UInt64(place))
      head.magic = marks.magic
      head.check ^= marks.mask
    }
  }

  private func append(_ other: FrameBuffer, changing change: (inout FrameHead, Int) -> Void) {
    guard !other.isEmpty else { return }
    reserve(other.count)
    let start = memory + count
    start.copyMemory(from: other.memory, byteCount: other.count)
    count += other.count
    var place = 0
    while place < other.count {
      var head = FrameHead(start + place)
      change(&head, place)
      head.store(to: start + place)
      place += FrameFormat.headBytes + Int(head.length)
    }
  }

  /// Forgets the bytes from `count` on.
  func truncate(to count: Int) {
    self.count = count
  }

  /// Forgets everything; keeps the memory unless it has grown unusually large.
  func removeAll() {
    count = 0
    guard capacity > 8 << 20 else { return }
    memory.deallocate()
    capacity = 4_096
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  private func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    larger.copyMemory(from: memory, byteCount: count)
    memory.deallocate()
    memory = larger
  }
}
