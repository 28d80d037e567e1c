import EventStore

extension StoreError {
  /// Whether the database must be opened anew before it answers anything.
  var isOfInvalidatedDatabase: Bool {
    guard case .engine(let message) = self else { return false }
    return message.contains("database has been invalidated")
  }

  /// Whether a statement needed more memory than it may have.
  var isOfMemory: Bool { if case .needsMemory = self { true } else { false } }

  /// DuckDB's message as an error.
  ///
  /// Its first words name the kind. Some kinds speak of the data itself, so that trying again is no
  /// use; all others (disk, memory, transactions) may pass.
  init(duckDB message: String?) {
    guard let message else {
      self = .engine("no reason given")
      return
    }
    guard !message.hasPrefix("Out of Memory Error") else {
      self = .needsMemory(limit: Self.limit(in: message))
      return
    }
    let speaksOfData = [
      "Constraint Error", "Conversion Error", "Invalid Input Error", "Out of Range Error",
    ].contains { message.hasPrefix($0) }
    self = speaksOfData ? .invalidData(message) : .engine(message)
  }

  /// What stands behind the slash of `(15.9 GiB/16.0 GiB used)`; nil where a message has nothing like it.
  private static func limit(in message: String) -> String? {
    guard let end = message.firstRange(of: " used)"),
      let start = message[..<end.lowerBound].lastIndex(of: "/")
    else { return nil }
    let limit = message[message.index(after: start)..<end.lowerBound]
    return limit.contains { "\n()".contains($0) } ? nil : String(limit)
  }
}
