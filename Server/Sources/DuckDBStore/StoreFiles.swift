import EventStore
import FootfallSystem
import Foundation

/// What is needed to open the store's file, again and again.
struct StoreFiles: Sendable {
  let path: String
  let library: DuckDBLibrary
  let options: DuckDBOptions

  /// Opens the file, brings its tables to this program's version and makes ready to write and read.
  ///
  /// - Throws: `.newerSchema`, or `.engine` with DuckDB's message.
  func open() throws(StoreError) -> (Writer, ReaderPool) {
    let database = try Database(path: path, library: library, settings: settings)
    // The file is held now, and nothing is running.
    removeLeftovers()
    let connection = try database.connect()
    try FunnelAggregate.register(on: connection)
    try MemberFunction.register(on: connection)
    try CountingFunction.register(on: connection)
    try Schema.prepare(connection, programVersion: options.programVersion)
    return (
      try Writer(connection, maxKeyBytes: options.maxKeyBytes),
      try ReaderPool(
        database,
        limit: options.readers,
        patienceSeconds: options.queryTimeLimitSeconds
      )
    )
  }

  /// Removes what a stop left beside the file.
  ///
  /// That is a new one that has not taken its place, and rows of statements that outgrew memory. What was
  /// erased since must not lie there.
  private func removeLeftovers() {
    let files = PosixFiles()
    do throws(SystemError) {
      var names = [draft, draft + ".wal"].filter { files.exists($0) }
      if files.exists(scratch) { names += try files.list(scratch).map { scratch + "/" + $0 } }
      for name in names { try files.remove(name) }
    } catch {
      // The next opening tries again.
    }
  }

  /// Where a new file is written before it takes the old one's place.
  var draft: String { path + ".new" }

  private var scratch: String { path + ".tmp" }

  /// Has the new file take the old one's place, which nobody may have open.
  ///
  /// - Throws: `.engine` when the old file is not whole without its log; nothing is changed then.
  func takeDraft() throws(StoreError) {
    let files = PosixFiles()
    guard !files.exists(path + ".wal"), !files.exists(draft + ".wal") else {
      throw .engine("what was written last is still in the write-ahead log")
    }
    do throws(SystemError) {
      try files.rename(draft, to: path)
      try files.syncFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    } catch {
      throw .engine("the new file could not take the old one's place: \(error)")
    }
  }

  /// Bytes that must stay free on the disk while a new file is written: events need them more.
  static let reservedBytes: UInt64 = 256 << 20

  /// Sees that a new file of the same size has room.
  ///
  /// - Throws: `.needsRoom`.
  func checkRoom() throws(StoreError) {
    var (file, disk) = (stat(), statvfs())
    guard stat(path, &file) == 0, statvfs(path, &disk) == 0 else { return }
    let needed = UInt64(max(0, file.st_size)) + Self.reservedBytes
    let free = UInt64(disk.f_bavail) * UInt64(disk.f_frsize)
    guard free >= needed else { throw .needsRoom(bytes: needed, free: free) }
  }

  /// What DuckDB is told before it opens the file.
  var settings: [(String, String)] {
    var settings = [
      ("memory_limit", "\(options.memoryLimitBytes)B"),
      ("temp_directory", scratch),
      // Large loads go straight into the file; what is small is moved there when there is time.
      ("checkpoint_threshold", "256MB"),
      // The server never loads code from the network.
      ("autoinstall_known_extensions", "false"),
      ("autoload_known_extensions", "false"),
      ("allow_community_extensions", "false"),
      // It keeps whatever a statement reads twice, all events if need be, even where nothing comes of the
      // second reading. What is worth keeping, statements say themselves: MATERIALIZED.
      ("disabled_optimizers", "common_subplan"),
    ]
    if options.threads > 0 { settings.append(("threads", "\(options.threads)")) }
    return settings
  }
}
