import CDuckDB
import EventRecord
import EventStore

/// The answer of one statement, read chunk by chunk; gives its memory back at the end.
struct ResultReader: ~Copyable {
  private let result: ddb_result
  private let types: [Int32]
  private let library: DuckDBLibrary

  init(_ result: ddb_result, library: DuckDBLibrary) {
    var result = result
    types = (0..<library.columnCount(&result)).map { library.columnType(&result, $0) }
    self.result = result
    self.library = library
  }

  deinit {
    var result = result
    library.destroyResult(&result)
  }

  /// How many rows a changing statement changed.
  var rowsChanged: Int {
    var result = result
    return Int(library.rowsChanged(&result))
  }

  /// All rows as values.
  ///
  /// - Parameter isWanted: asked before each chunk, which has some thousand rows at most.
  /// - Returns: The rows.
  /// - Throws: `.unexpectedValue` for a column type that `SQLValue` has no case for; `.cancelled` once the rows
  ///   are not wanted any more.
  func rows(while isWanted: () -> Bool = { true }) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    try forEachChunk { (columns, count) throws(StoreError) in
      guard isWanted() else { throw .cancelled }
      for row in 0..<count {
        var values: [SQLValue] = []
        values.reserveCapacity(columns.count)
        for (index, column) in columns.enumerated() {
          guard let value = column.value(at: row) else {
            throw .unexpectedValue(column: index, expected: "of a known type")
          }
          values.append(value)
        }
        rows.append(Row(values))
      }
    }
    return rows
  }

  /// Gives each chunk's columns and its number of rows to `body`; valid only inside it.
  ///
  /// - Throws: what `body` throws.
  func forEachChunk(
    _ body: ([ResultColumn], Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    while let chunk = library.fetchChunk(result) {
      defer {
        var chunk: ddb_chunk? = chunk
        library.destroyChunk(&chunk)
      }
      let columns = types.enumerated().map { index, type in
        let vector = library.chunkVector(chunk, UInt64(index))
        return ResultColumn(
          type: type,
          data: library.vectorData(vector),
          validity: library.vectorValidity(vector)
        )
      }
      try body(columns, Int(library.chunkSize(chunk)))
    }
  }
}

/// One column of a chunk, where the library keeps it.
struct ResultColumn {
  let type: Int32
  let data: UnsafeMutableRawPointer?
  let validity: UnsafeMutablePointer<UInt64>?

  /// The value in a row; nil for a type that `SQLValue` has no case for.
  func value(at row: Int) -> SQLValue? {
    guard isValid(row) else { return .null }
    return switch Int(type) {
    case Int(DDB_BOOLEAN): .boolean(load(row, UInt8.self) != 0)
    case Int(DDB_TINYINT): .integer(Int64(load(row, Int8.self)))
    case Int(DDB_SMALLINT): .integer(Int64(load(row, Int16.self)))
    case Int(DDB_INTEGER): .integer(Int64(load(row, Int32.self)))
    case Int(DDB_BIGINT): .integer(load(row, Int64.self))
    case Int(DDB_UTINYINT): .integer(Int64(load(row, UInt8.self)))
    case Int(DDB_USMALLINT): .integer(Int64(load(row, UInt16.self)))
    case Int(DDB_UINTEGER): .integer(Int64(load(row, UInt32.self)))
    case Int(DDB_UBIGINT): .integer(Int64(clamping: load(row, UInt64.self)))
    case Int(DDB_HUGEINT): .integer(hugeInteger(row))
    case Int(DDB_FLOAT): .double(Double(load(row, Float.self)))
    case Int(DDB_DOUBLE): .double(load(row, Double.self))
    case Int(DDB_TIMESTAMP_MS): .time(load(row, Int64.self))
    case Int(DDB_TIMESTAMP): .time(milliseconds(ofMicroseconds: load(row, Int64.self)))
    case Int(DDB_UUID): .key(key(at: row))
    case Int(DDB_VARCHAR): .text(String(decoding: text(at: row), as: UTF8.self))
    default: nil
    }
  }

  /// The key in a row of a UUID column: a number with a sign, the top bit flipped.
  func key(at row: Int) -> EventKey {
    EventKey(high: word(2 * row + 1) ^ (1 << 63), low: word(2 * row))
  }

  /// The milliseconds in a row of a TIMESTAMP_MS column.
  func time(at row: Int) -> Int64 {
    load(row, Int64.self)
  }

  private func isValid(_ row: Int) -> Bool {
    guard let validity else { return true }
    return validity[row / 64] & (1 << UInt64(row % 64)) != 0
  }

  private func load<Value: BitwiseCopyable>(_ row: Int, _ type: Value.Type) -> Value {
    // Safety: the library promises data for every row of a chunk.
    data.unsafelyUnwrapped.load(
      fromByteOffset: row * MemoryLayout<Value>.stride,
      as: Value.self
    )
  }

  private func word(_ index: Int) -> UInt64 {
    load(index, UInt64.self)
  }

  private func hugeInteger(_ row: Int) -> Int64 {
    let value = Int128(Int64(bitPattern: word(2 * row + 1))) << 64 | Int128(word(2 * row))
    return Int64(clamping: value)
  }

  private func milliseconds(ofMicroseconds value: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: 1_000)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// A text of up to 12 bytes lies in the row, a longer one where the row's pointer says.
  private func text(at row: Int) -> UnsafeRawBufferPointer {
    let place = UnsafeRawPointer(data.unsafelyUnwrapped) + 16 * row
    let count = Int(place.load(as: UInt32.self))
    let start =
      count <= 12 ? place + 4 : place.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
