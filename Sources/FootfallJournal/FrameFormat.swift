/// How one segment writes its frames.
///
/// A frame is a head of twelve bytes (magic, length of the payload, check; each four bytes, the
/// lowest first) and the payload. Magic and check depend on the segment's random salt *and* on the
/// frame's offset: bytes inside a payload are not taken for a frame even if they are a copy of one,
/// of this very segment.
struct FrameFormat: Sendable {
  /// Bytes before the payload.
  static let headBytes = 12

  /// More than any payload has; longer lengths are damage.
  static let maxPayloadBytes = 1 << 30

  let salt: UInt64

  /// The magic of a frame at `offset`, and what its checksum is masked with.
  @inline(__always)
  func marks(at offset: UInt64) -> (magic: UInt32, mask: UInt32) {
    // The finalizer of SplitMix64: every bit of salt and offset reaches every bit of the marks.
    var mix = salt &+ offset &* 0x9e37_79b9_7f4a_7c15
    mix = (mix ^ mix >> 30) &* 0xbf58_476d_1ce4_e5b9
    mix = (mix ^ mix >> 27) &* 0x94d0_49bb_1331_11eb
    mix ^= mix >> 31
    return (UInt32(truncatingIfNeeded: mix), UInt32(truncatingIfNeeded: mix >> 32))
  }

  /// The checksum of a frame before masking: over the length and the payload.
  static func checksum(_ payload: UnsafeRawBufferPointer) -> UInt32 {
    var checksum = CRC32C()
    checksum.update(UInt32(payload.count))
    checksum.update(payload)
    return checksum.value
  }
}

/// The head of a frame, as it lies in a file.
struct FrameHead {
  var magic: UInt32
  var length: UInt32
  var check: UInt32

  init(magic: UInt32, length: UInt32, check: UInt32) {
    self.magic = magic
    self.length = length
    self.check = check
  }

  /// Reads twelve bytes.
  init(_ bytes: UnsafeRawPointer) {
    magic = UInt32(littleEndian: bytes.loadUnaligned(as: UInt32.self))
    length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    check = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// Writes twelve bytes.
  func store(to bytes: UnsafeMutableRawPointer) {
    bytes.storeBytes(of: magic.littleEndian, as: UInt32.self)
    bytes.storeBytes(of: length.littleEndian, toByteOffset: 4, as: UInt32.self)
    bytes.storeBytes(of: check.littleEndian, toByteOffset: 8, as: UInt32.self)
  }
}
