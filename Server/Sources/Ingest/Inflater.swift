internal import CDeflate

/// Inflates gzip bodies into one reused buffer, never beyond a bound.
///
/// One per thread at a time.
final class Inflater {
  /// Why a body cannot be inflated.
  enum Failure: Error {
    /// It would become larger than allowed.
    case tooLarge
    /// It is not gzip, cut short, or its checksum does not hold.
    case damaged
  }

  /// How far a body may grow.
  struct Bound: Sendable, Hashable {
    /// Bytes in all.
    var maxBytes = 10 << 20
    /// Times its received size; a body of a few bytes may always reach `freeBytes`.
    var maxRatio = 100
    /// See `maxRatio`.
    var freeBytes = 64 << 10

    /// Bytes that a body of that size may grow to.
    func limit(received: Int) -> Int {
      min(maxBytes, max(freeBytes, received.multipliedReportingOverflow(by: maxRatio).partialValue))
    }
  }

  /// A larger buffer is given back after use.
  private static let keptBytes = 1 << 20

  private let decompressor: OpaquePointer?
  private var buffer: UnsafeMutableRawBufferPointer

  init() {
    decompressor = libdeflate_alloc_decompressor()
    buffer = .allocate(byteCount: 64 << 10, alignment: 16)
  }

  deinit {
    if let decompressor { libdeflate_free_decompressor(decompressor) }
    buffer.deallocate()
  }

  /// Whether the bytes begin as gzip does.
  ///
  /// What a header says does not matter: some clients compress without saying so, and proxies
  /// inflate without taking the word away.
  static func isGzip(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b
  }

  /// The inflated bytes, of all members one after the other; valid until the next call.
  func inflate(
    _ bytes: UnsafeRawBufferPointer,
    bound: Bound
  ) throws(Failure)
    -> UnsafeRawBufferPointer
  {
    guard let decompressor else { throw .damaged }
    let limit = bound.limit(received: bytes.count)
    // The trailer tells the size of the last member; it may lie, and where a body was cut short it is
    // some other bytes, so it only sizes the first try.
    let told =
      bytes.count >= 18
      ? Int(bytes.loadUnaligned(fromByteOffset: bytes.count - 4, as: UInt32.self).littleEndian) : 0
    shrink()
    reserve(min(limit, max(told, 1_024)), keeping: 0)
    var read = 0
    var written = 0
    while read < bytes.count {
      guard let input = bytes.baseAddress, let output = buffer.baseAddress else { throw .damaged }
      var used = 0
      var made = 0
      let room = min(limit, buffer.count) - written
      let result = libdeflate_gzip_decompress_ex(
        decompressor,
        input + read,
        bytes.count - read,
        output + written,
        room,
        &used,
        &made
      )
      switch result {
      case LIBDEFLATE_SUCCESS:
        read += used
        written += made
      case LIBDEFLATE_INSUFFICIENT_SPACE:
        guard buffer.count < limit else { throw .tooLarge }
        reserve(min(limit, buffer.count * 4), keeping: written)
      default:
        throw .damaged
      }
    }
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<written])
  }

  private func reserve(_ needed: Int, keeping count: Int) {
    guard needed > buffer.count else { return }
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: needed, alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    buffer.deallocate()
    buffer = larger
  }

  private func shrink() {
    guard buffer.count > Self.keptBytes else { return }
    buffer.deallocate()
    buffer = .allocate(byteCount: 64 << 10, alignment: 16)
  }
}
