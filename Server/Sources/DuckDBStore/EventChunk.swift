import CDuckDB
import EventRecord
import EventStore

/// A chunk of rows for the table `events`, filled again and again.
///
/// Texts are not copied into the chunk: its rows point to where they lie, so those bytes must live
/// until the chunk has been appended. One thread at a time.
final class EventChunk {
  /// How many rows fit: the length of DuckDB's vectors.
  static let capacity = 2_048

  let handle: ddb_chunk
  private(set) var count = 0
  private let library: DuckDBLibrary
  private var columns: [ChunkColumn] = []

  /// - Throws: `.engine` when the library gives no chunk.
  init(library: DuckDBLibrary) throws(StoreError) {
    self.library = library
    var types = Self.types.map { library.createType(Int32($0)) }
    defer {
      for index in types.indices { library.destroyType(&types[index]) }
    }
    guard let chunk = library.createChunk(&types, UInt64(types.count)) else {
      throw .engine("no chunk of rows could be made")
    }
    handle = chunk
    reset()
  }

  deinit {
    var handle: ddb_chunk? = handle
    library.destroyChunk(&handle)
  }

  /// True when no further row fits.
  var isFull: Bool { count == Self.capacity }

  /// Forgets all rows.
  func reset() {
    library.resetChunk(handle)
    count = 0
    columns = Self.types.indices.map { index in
      let vector = library.chunkVector(handle, UInt64(index))
      return ChunkColumn(vector: vector, data: library.vectorData(vector), library: library)
    }
  }

  /// Makes the rows written so far the chunk's size.
  func seal() {
    library.setChunkSize(handle, UInt64(count))
  }

  /// Adds a row; there must be room.
  func append(
    _ event: EventView,
    times: EventTimes,
    plan: UInt8,
    project: UInt32,
    client: UnsafeRawBufferPointer,
    person: Int64?
  ) {
    let row = count
    columns.withUnsafeMutableBufferPointer { columns in
      columns[0].set(event.key.low, at: 2 * row)
      columns[0].set(event.key.high ^ (1 << 63), at: 2 * row + 1)
      columns[1].set(plan, at: row)
      columns[2].set(project, at: row)
      columns[3].set(event.kind.rawValue, at: row)
      columns[4].set(event.flags.contains(.test) ? UInt8(1) : 0, at: row)
      columns[5].setText(event.name, at: row)
      columns[6].set(times.ownMs, at: row)
      columns[7].set(times.correctedMs, at: row)
      columns[8].set(times.receivedMs, at: row)
      columns[9].set(event.sequence, at: row)
      columns[10].setOptionalText(event.id, at: row)
      columns[11].setOptionalText(event.deviceID, at: row)
      columns[12].setOptionalText(event.userID, at: row)
      columns[13].setOptionalText(event.sessionID, at: row)
      columns[14].setOptionalText(event.properties, at: row)
      columns[15].setOptionalText(event.groups, at: row)
      columns[16].setOptionalText(event.operations, at: row)
      columns[17].setOptionalText(event.context, at: row)
      columns[18].setOptionalText(client, at: row)
      if let person { columns[19].set(person, at: row) } else { columns[19].setMissing(row) }
      columns[20].set(Tier.hot.rawValue, at: row)
    }
    count += 1
  }

  /// The types of the table's columns in their order.
  private static let types: [Int] =
    [
      DDB_UUID, DDB_UTINYINT, DDB_UINTEGER, DDB_UTINYINT, DDB_BOOLEAN, DDB_VARCHAR,
      DDB_TIMESTAMP_MS, DDB_TIMESTAMP_MS, DDB_TIMESTAMP_MS, DDB_BIGINT,
    ].map { Int($0) } + Array(repeating: Int(DDB_VARCHAR), count: 9) + [
      Int(DDB_BIGINT), Int(DDB_UTINYINT),
    ]
}
