import EventStore

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
    let connection = try database.connect()
    try FunnelAggregate.register(on: connection)
    try MemberFunction.register(on: connection)
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

  private var settings: [(String, String)] {
    var settings = [
      ("memory_limit", "\(options.memoryLimitBytes)B"),
      ("temp_directory", path + ".tmp"),
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
