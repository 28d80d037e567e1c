import EventStore

extension StoreError {
  /// Whether the database must be opened anew before it answers anything.
  var isOfInvalidatedDatabase: Bool {
    guard case .engine(let message) = self else { return false }
    return message.contains("database has been invalidated")
  }

  /// DuckDB's message as an error.
  ///
  /// Its first words name the kind. Some kinds speak of the data itself, so that trying again is no
  /// use; all others (disk, memory, transactions) may pass.
  init(duckDB message: String?) {
    guard let message else {
      self = .engine("no reason given")
      return
    }
    let speaksOfData = [
      "Constraint Error", "Conversion Error", "Invalid Input Error", "Out of Range Error",
    ].contains { message.hasPrefix($0) }
    self = speaksOfData ? .invalidData(message) : .engine(message)
  }
}
