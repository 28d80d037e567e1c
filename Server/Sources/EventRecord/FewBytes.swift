extension UnsafeMutableRawPointer {
  /// Copies bytes that lie elsewhere and are mostly few: up to 32 without a call, in words that may overlap.
  ///
  /// Nothing outside of the bytes is read or written.
  @inline(__always)
  func copyFew(from source: UnsafeRawPointer, byteCount count: Int) {
    switch count {
    case 33...: copyMemory(from: source, byteCount: count)
    case 17...32:
      copyWord(from: source, at: 0, as: UInt64.self)
      copyWord(from: source, at: 8, as: UInt64.self)
      copyWord(from: source, at: count &- 16, as: UInt64.self)
      copyWord(from: source, at: count &- 8, as: UInt64.self)
    case 8...16:
      copyWord(from: source, at: 0, as: UInt64.self)
      copyWord(from: source, at: count &- 8, as: UInt64.self)
    case 4...7:
      copyWord(from: source, at: 0, as: UInt32.self)
      copyWord(from: source, at: count &- 4, as: UInt32.self)
    case 1...3:
      copyWord(from: source, at: 0, as: UInt8.self)
      copyWord(from: source, at: count / 2, as: UInt8.self)
      copyWord(from: source, at: count &- 1, as: UInt8.self)
    default: break
    }
  }

  @inline(__always)
  private func copyWord<Word: BitwiseCopyable>(
    from source: UnsafeRawPointer,
    at offset: Int,
    as type: Word.Type
  ) {
    let word = source.loadUnaligned(fromByteOffset: offset, as: type)
    storeBytes(of: word, toByteOffset: offset, as: type)
  }
}
