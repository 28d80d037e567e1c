import CDuckDB

/// One column's memory in the chunk.
struct ChunkColumn {
  let vector: ddb_vector?
  let data: UnsafeMutableRawPointer?
  let library: DuckDBLibrary
  // Made when the first missing value comes; nil means that all are there.
  var validity: UnsafeMutablePointer<UInt64>?

  init(vector: ddb_vector?, data: UnsafeMutableRawPointer?, library: DuckDBLibrary) {
    self.vector = vector
    self.data = data
    self.library = library
  }

  /// A value of fixed size.
  @inline(__always)
  func set<Value: BitwiseCopyable>(_ value: Value, at index: Int) {
    data?.storeBytes(
      of: value,
      toByteOffset: index * MemoryLayout<Value>.stride,
      as: Value.self
    )
  }

  /// A text: its length, then up to 12 bytes in place, or the first four and a pointer to all.
  @inline(__always)
  func setText(_ text: UnsafeRawBufferPointer, at row: Int) {
    guard let place = data.map({ $0 + 16 * row }) else { return }
    let count = text.count
    place.storeBytes(of: UInt32(truncatingIfNeeded: count), as: UInt32.self)
    guard count > 12, let start = text.baseAddress else {
      place.storeBytes(of: 0, toByteOffset: 4, as: UInt32.self)
      place.storeBytes(of: 0, toByteOffset: 8, as: UInt64.self)
      if count > 0, let start = text.baseAddress {
        (place + 4).copyMemory(from: start, byteCount: min(count, 12))
      }
      return
    }
    place.storeBytes(of: start.loadUnaligned(as: UInt32.self), toByteOffset: 4, as: UInt32.self)
    place.storeBytes(
      of: UInt(bitPattern: start),
      toByteOffset: 8,
      as: UInt.self
    )
  }

  /// A text, or no value where it is empty.
  @inline(__always)
  mutating func setOptionalText(_ text: UnsafeRawBufferPointer, at row: Int) {
    if text.isEmpty { setMissing(row) } else { setText(text, at: row) }
  }

  /// No value.
  mutating func setMissing(_ row: Int) {
    if validity == nil {
      library.vectorWritableValidity(vector)
      validity = library.vectorValidity(vector)
    }
    validity?[row / 64] &= ~(1 << UInt64(row % 64))
  }
}
