public import EventStore
public import FootfallJournal

/// Looks into a store's file and leaves it as it is, whatever state it is in.
///
/// It is opened for reading alone: tables of an older program stay as they are, and so does a file that is
/// damaged. Nobody else may have it open for writing.
public struct StoreInspection {
  private let positions: [JournalID: JournalPosition]

  /// Opens the file, reads how far it is, and closes it.
  ///
  /// - Parameters:
  ///   - path: the file, which must be there.
  ///   - library: path of `libduckdb`.
  /// - Throws: `StoreError`: `.unavailable` without the library, `.newerSchema` for the data of a newer
  ///   program, `.engine` with DuckDB's message when the file cannot be read.
  public init(path: String, library: String) throws(StoreError) {
    let connection = try Self.open(path, library: library)
    positions = try Schema.isMade(in: connection) ? try connection.loadPositions() : [:]
  }

  /// Up to where a log has been loaded; nil if nothing of it was.
  public func position(ofLog log: JournalID) -> JournalPosition? { positions[log] }

  /// Reads every value of every table of a file, a piece at a time.
  ///
  /// Opening a file reads only what says where the rest lies; damage of the rest is found by this. It takes as
  /// long as reading the file takes, and no more memory than a question may.
  ///
  /// - Parameters:
  ///   - path: the file, which must be there.
  ///   - library: path of `libduckdb`.
  ///   - progress: told before each piece the table, and how much of the whole file is read, from 0 to 1.
  /// - Returns: What was read, and what cannot be.
  /// - Throws: `StoreError`, as `init`, and `.needsMemory`.
  public static func readThrough(
    path: String,
    library: String,
    progress: (_ table: String, _ fraction: Double) -> Void = { _, _ in }
  ) throws(StoreError) -> StoreReading {
    var reader = StoreReader(try open(path, library: library))
    return try reader.read(progress)
  }

  private static func open(_ path: String, library: String) throws(StoreError) -> Connection {
    let library = try DuckDBLibrary(path: library)
    let files = StoreFiles(path: path, library: library, options: DuckDBOptions())
    let database = try Database(
      path: path,
      library: library,
      settings: files.settings + [("access_mode", "READ_ONLY")]
    )
    return try database.connect()
  }
}

extension Connection {
  /// Up to where each log has been loaded.
  ///
  /// - Throws: `.engine` with DuckDB's message.
  func loadPositions() throws(StoreError) -> [JournalID: JournalPosition] {
    var positions: [JournalID: JournalPosition] = [:]
    for row in try rows(SQL("SELECT log_id, segment, byte_offset FROM load_positions")) {
      guard let log = JournalID(try row.text(0)) else { continue }
      positions[log] = JournalPosition(
        segment: UInt64(try row.integer(1)),
        offset: UInt64(try row.integer(2))
      )
    }
    return positions
  }
}
