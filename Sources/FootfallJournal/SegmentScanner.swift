import FootfallSystem

/// Walks the frames of one segment and steps over what is damaged.
struct SegmentScanner {
  /// What lies next.
  enum Item {
    /// A whole frame; the payload is valid until the next step.
    case frame(UnsafeRawBufferPointer)
    /// Bytes without a frame, and whether nothing follows them.
    case gap(Range<UInt64>, isLast: Bool)
    /// The end.
    case end
  }

  private let window: SegmentWindow
  private let format: FrameFormat
  /// Where the next item starts.
  private(set) var offset: UInt64

  /// `wanted` is how many bytes are likely to be walked.
  init(
    _ file: any OpenFile,
    format: FrameFormat,
    from offset: UInt64,
    limit: UInt64,
    wanted: Int = .max
  ) {
    window = SegmentWindow(file, from: offset, limit: limit, wanted: wanted)
    self.format = format
    self.offset = offset
  }

  /// Whether the disk could not give bytes of this range.
  func isUnreadable(_ range: Range<UInt64>) -> Bool {
    window.unreadable?.overlaps(range) ?? false
  }

  /// The next item, with `offset` moved past it.
  mutating func next() throws(SystemError) -> Item {
    guard offset < window.limit else { return .end }
    if let payload = try frame(at: offset) {
      offset += UInt64(FrameFormat.headBytes + payload.count)
      return .frame(payload)
    }
    let start = offset
    let found = try firstFrame(after: start)
    offset = found ?? window.limit
    guard start < offset else { return .end }
    return .gap(start..<offset, isLast: found == nil)
  }

  /// The payload of a frame that starts exactly at `offset`; nil if there is none.
  private func frame(at offset: UInt64) throws(SystemError) -> UnsafeRawBufferPointer? {
    guard let start = try window.bytes(at: offset, FrameFormat.headBytes)?.baseAddress else {
      return nil
    }
    let head = FrameHead(start)
    let marks = format.marks(at: offset)
    // A torn head may say more than an integer of a watch holds.
    guard head.magic == marks.magic, let length = Int(exactly: head.length),
      length <= FrameFormat.maxPayloadBytes,
      let bytes = try window.bytes(at: offset, FrameFormat.headBytes + length)
    else { return nil }
    let payload = UnsafeRawBufferPointer(
      rebasing: bytes[FrameFormat.headBytes..<(FrameFormat.headBytes + length)]
    )
    return FrameFormat.checksum(payload) ^ marks.mask == head.check ? payload : nil
  }

  /// Where the next frame after a damaged place starts; nil if none follows.
  private func firstFrame(after start: UInt64) throws(SystemError) -> UInt64? {
    var candidate = start + 1
    while let bytes = try window.bytes(at: candidate, FrameFormat.headBytes) {
      let steps = bytes.count - FrameFormat.headBytes + 1
      var step = 0
      while step < steps {
        let magic = bytes.loadUnaligned(fromByteOffset: step, as: UInt32.self)
        if UInt32(littleEndian: magic) == format.marks(at: candidate + UInt64(step)).magic { break }
        step += 1
      }
      candidate += UInt64(step)
      guard step < steps else { continue }
      if try frame(at: candidate) != nil { return candidate }
      candidate += 1
    }
    return nil
  }
}
