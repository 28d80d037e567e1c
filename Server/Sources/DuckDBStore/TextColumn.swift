import CDuckDB

/// The texts of a column that DuckDB gives a function of ours.
///
/// Each has 16 bytes, of which the first four are its length; up to twelve bytes lie in place, more where the
/// last eight point.
struct TextColumn {
  static let stride = 16
  /// Up to so many bytes lie in place.
  static let inPlace = 12

  private let data: UnsafeMutableRawPointer?
  private let validity: UnsafeMutablePointer<UInt64>?

  init(_ vector: ddb_vector?, _ library: DuckDBLibrary) {
    data = library.vectorData(vector)
    validity = library.vectorValidity(vector)
  }

  /// Nil for NULL.
  func text(_ row: Int) -> UnsafeRawBufferPointer? {
    if let validity, validity[row / 64] & (1 << UInt64(row % 64)) == 0 { return nil }
    guard let place = data.map({ $0 + Self.stride * row }) else { return nil }
    let count = Int(place.load(as: UInt32.self))
    if count <= Self.inPlace { return UnsafeRawBufferPointer(start: place + 4, count: count) }
    let start = place.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}

/// The column of texts that a function of ours answers with.
struct TextAnswer {
  private let vector: ddb_vector?
  private let library: DuckDBLibrary
  private let data: UnsafeMutableRawPointer?
  private let validity: UnsafeMutablePointer<UInt64>?

  init(_ vector: ddb_vector?, _ library: DuckDBLibrary) {
    library.vectorWritableValidity(vector)
    self.vector = vector
    self.library = library
    data = library.vectorData(vector)
    validity = library.vectorValidity(vector)
  }

  func putNull(at row: Int) {
    validity?[row / 64] &= ~(1 << UInt64(row % 64))
  }

  /// Writes a text; what a short one leaves free is zero, as comparing such texts wants it.
  func put(_ text: UnsafeRawBufferPointer, at row: Int) {
    guard text.count <= TextColumn.inPlace, let data else {
      return library.assignText(
        vector,
        UInt64(row),
        text.baseAddress?.assumingMemoryBound(to: CChar.self),
        UInt64(text.count)
      )
    }
    let place = data + TextColumn.stride * row
    place.storeBytes(of: UInt32(text.count), as: UInt32.self)
    let bytes = place + 4
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: TextColumn.inPlace)
    if let start = text.baseAddress { bytes.copyMemory(from: start, byteCount: text.count) }
  }
}
