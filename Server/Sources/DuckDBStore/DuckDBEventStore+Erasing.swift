public import EventStore

extension DuckDBEventStore {
  /// When which devices are a user's.
  ///
  /// - Throws: `StoreError`.
  public func spans(ofUser user: Int64) throws -> [Erasure.Span] {
    try write { (writer) throws(StoreError) in
      try Eraser.spans(ofUser: user, over: writer.connection)
    }
  }

  /// How many stored events an erasure concerns; another thread's batch waits.
  ///
  /// - Throws: `StoreError`.
  public func count(_ erasure: Erasure) throws -> Int {
    try write { (writer) throws(StoreError) in
      try writer.change { (connection) throws(StoreError) in
        try Eraser(connection, erasure).count()
      }
    }
  }

  /// Removes all events that an erasure concerns; another thread's batch waits.
  ///
  /// The rows are gone for every question at once; of the file's bytes see `leaveNothing`.
  ///
  /// - Throws: `StoreError` when nothing was removed.
  public func erase(_ erasure: Erasure) throws -> Int {
    try write { (writer) throws(StoreError) in
      try writer.change { (connection) throws(StoreError) in
        try Eraser(connection, erasure).run()
      }
    }
  }

  /// The erasures that were done in this store.
  ///
  /// - Throws: `StoreError`.
  public func erasuresDone() throws -> Set<Int64> {
    try write { (writer) throws(StoreError) in
      var done: Set<Int64> = []
      for row in try writer.connection.rows(SQL("SELECT erasure FROM erasures_done")) {
        done.insert(try row.integer(0))
      }
      return done
    }
  }
}
