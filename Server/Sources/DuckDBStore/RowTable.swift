import CDuckDB
import EventRecord
import EventStore

/// Adds rows of plain values to one of the small tables beside the events.
///
/// A statement for each row would cost more than the row.
struct RowTable {
  /// The table's name.
  let name: String
  /// DuckDB's types of its columns in their order.
  let types: [Int]

  /// Adds rows; each has a value for every column.
  ///
  /// - Throws: `.engine` with DuckDB's message; the transaction must be rolled back.
  func insert(_ rows: [[SQLValue]], over connection: Connection) throws(StoreError) {
    guard !rows.isEmpty else { return }
    let library = connection.library
    var types = types.map { library.createType(Int32($0)) }
    defer { for index in types.indices { library.destroyType(&types[index]) } }
    guard let chunk = library.createChunk(&types, UInt64(types.count)) else {
      throw .engine("no chunk of rows could be made")
    }
    defer {
      var chunk: ddb_chunk? = chunk
      library.destroyChunk(&chunk)
    }
    let appender = try Appender(connection, table: name)
    for start in stride(from: 0, to: rows.count, by: EventChunk.capacity) {
      let rows = rows[start..<min(start + EventChunk.capacity, rows.count)]
      try append(rows, chunk: chunk, library: library, to: appender)
    }
    try appender.close()
  }

  private func append(
    _ rows: ArraySlice<[SQLValue]>,
    chunk: ddb_chunk,
    library: DuckDBLibrary,
    to appender: Appender
  ) throws(StoreError) {
    library.resetChunk(chunk)
    // The chunk points to its texts, so they live until it is appended.
    var texts: [UnsafeMutableRawBufferPointer] = []
    defer { for text in texts { text.deallocate() } }
    for index in types.indices {
      let vector = library.chunkVector(chunk, UInt64(index))
      var column = ChunkColumn(vector: vector, data: library.vectorData(vector), library: library)
      for (row, values) in rows.enumerated() {
        column.put(values[index], at: row, keeping: &texts)
      }
    }
    library.setChunkSize(chunk, UInt64(rows.count))
    try appender.append(chunk)
  }
}

extension ChunkColumn {
  /// Puts a value whose kind is that of the column's type.
  fileprivate mutating func put(
    _ value: SQLValue,
    at row: Int,
    keeping texts: inout [UnsafeMutableRawBufferPointer]
  ) {
    switch value {
    case .null: setMissing(row)
    case .integer(let number), .time(let number): set(number, at: row)
    case .double(let number): set(number, at: row)
    case .boolean(let truth): set(truth ? UInt8(1) : 0, at: row)
    case .key(let key):
      set(key.low, at: 2 * row)
      set(key.high ^ (1 << 63), at: 2 * row + 1)
    case .text(let text):
      let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: text.utf8.count, alignment: 1)
      bytes.copyBytes(from: text.utf8)
      texts.append(bytes)
      setText(UnsafeRawBufferPointer(bytes), at: row)
    }
  }
}
