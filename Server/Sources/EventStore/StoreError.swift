/// Why a store could not do what it was asked.
public enum StoreError: Error, Sendable, Hashable {
  /// The store cannot be used at all; the text says why and what to do.
  case unavailable(String)
  /// The data was written by a newer program; it was left untouched.
  case newerSchema(found: Int, supported: Int, writtenBy: String)
  /// The store's own message.
  case engine(String)
  /// The store takes no row like one of a batch's; the store's own message. Trying again is no use.
  case invalidData(String)
  /// The statement needed more memory, or room on disk in its place, than it may have; the limit in words.
  case needsMemory(limit: String?)
  /// The statement ran longer than the store allows and was stopped.
  case timedOut(seconds: Double)
  /// Whoever asked no longer wants the answer.
  case cancelled
  /// All readers were busy for as long as a statement may take.
  case busy(readers: Int)
  /// As many of a kind, such as “statements of the SQL console”, run already as may at the same time.
  case crowded(running: Int, of: String)
  /// The store was closed.
  case closed
  /// The disk has too little room for what must be written beside the store.
  case needsRoom(bytes: UInt64, free: UInt64)
  /// This kind of store cannot answer that.
  case unsupported(String)
  /// A row does not hold what the reader expects: a mistake in a statement, not in the data.
  case unexpectedValue(column: Int, expected: String)
}

extension StoreError: CustomStringConvertible {
  /// DuckDB has no code for a file that is damaged or cut off, only these words.
  private static func speaksOfDamage(_ message: String) -> Bool {
    ["Corrupt database file", "Could not read enough bytes"].contains { message.contains($0) }
  }

  private static let remedy =
    "\nThe file of the store is damaged. Stop the server and restore the data folder from a backup, or move the file away: the next start makes a new one of what the log still has."

  /// A plain sentence.
  public var description: String {
    switch self {
    case .unavailable(let reason): "The event store is not available: \(reason)"
    case .newerSchema(let found, let supported, let writtenBy):
      """
      The event store has schema version \(found), written by Footfall \(writtenBy); this program \
      reads up to version \(supported). Start Footfall \(writtenBy) or later.
      """
    case .engine(let message):
      "The event store answered: \(message)\(Self.speaksOfDamage(message) ? Self.remedy : "")"
    case .invalidData(let message): "The event store refused a row: \(message)"
    case .needsMemory(let limit):
      """
      The query needed more memory than the event store may have\(limit.map { " (\($0))" } ?? "") and was \
      stopped; nothing was changed. Ask for less at once: fewer days, a filter, or a breakdown with fewer \
      values.
      """
    case .timedOut(let seconds): "The query was stopped after \(seconds) seconds."
    case .cancelled: "The query was cancelled."
    case .busy(let readers): "All \(readers) readers of the event store are busy."
    case .crowded(let running, let kind):
      "\(running) \(kind) run already, as many as may at the same time; try again when one of them is done, or stop one."
    case .closed: "The event store is closed."
    case .needsRoom(let bytes, let free):
      "The event store must be written anew beside itself, which takes \(bytes) bytes; \(free) are free. Free some space, and it is tried again."
    case .unsupported(let what): "This event store cannot do that: \(what)"
    case .unexpectedValue(let column, let expected):
      "Column \(column) of the answer is not \(expected)."
    }
  }
}
