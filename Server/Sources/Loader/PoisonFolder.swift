public import EventRecord
public import FootfallSystem
public import IngestLog
import FootfallJournal

/// Keeps the records that no store can read, for whoever looks into it.
///
/// A file for each, named after the log and the position after the record, so that writing one again
/// changes nothing; beside it a text with the reason.
///
/// Any thread; what changes the folder goes one after the other.
public final class PoisonFolder: Sendable {
  let path: String
  let files: any FileSystem
  private let changing = Lock(())

  /// A record that was set aside.
  public struct Entry: Sendable, Hashable {
    /// Its file's name, without what comes after the dot.
    public let name: String
    /// Its size in bytes.
    public let bytes: Int
    /// Why it could not be loaded.
    public let reason: String
  }

  /// The records in a folder, which need not be there.
  public init(path: String, files: any FileSystem = PosixFiles()) {
    self.path = path
    self.files = files
  }

  /// How many records lie here; 0 when the folder is not there.
  public func count() throws(SystemError) -> Int {
    try names().count
  }

  /// The first records by name, at most as many as asked for.
  public func entries(limit: Int) throws(SystemError) -> [Entry] {
    var entries: [Entry] = []
    for name in try names().prefix(limit) {
      let reason = path + "/" + name + Self.reasonSuffix
      entries.append(
        Entry(
          name: name,
          bytes: try files.readAll(path + "/" + name + Self.suffix).count,
          reason: files.exists(reason)
            ? String(decoding: try files.readAll(reason).prefix(2_000), as: UTF8.self)
              .split(separator: "\n").joined(separator: " ") : "(not written down)"
        )
      )
    }
    return entries
  }

  /// Hands every record to the log again, and forgets each once it is durable there.
  ///
  /// The loader then tries them as it does what is new: what the store has already is left out, what it
  /// still refuses is set aside again. Blocks until all are durable.
  ///
  /// - Returns: How many were handed over.
  /// - Throws: `ReplayError` at the first that the log does not take; that one and the rest stay here.
  public func replay(into log: IngestLog) throws -> Int {
    try changing.withLock { _ in try replayAll(into: log) }
  }

  private func replayAll(into log: IngestLog) throws -> Int {
    var replayed = 0
    for name in try names() {
      let record = path + "/" + name + Self.suffix
      let outcome = Monitor<Result<JournalPosition, JournalError>?>(nil)
      let submission = log.submit(try files.readAll(record)) { result in
        outcome.change { $0 = result }
      }
      guard submission == .accepted else { throw ReplayError.refused(replayed: replayed) }
      // Without a time limit it waits until the log has settled it, which it always does.
      if case .failure(let error) = outcome.wait(until: { $0 }) {
        throw ReplayError.failed(replayed: replayed, reason: error.description)
      }
      // After the record is durable, so that a kill in between leaves a copy too many rather than none.
      try forget(name)
      replayed += 1
    }
    return replayed
  }

  /// Takes events out of the records that lie here; one of which nothing is left goes.
  ///
  /// - Parameters:
  ///   - ids: a record that cannot be read at all goes as a whole when it holds one of these texts.
  ///   - isErased: whether an event of a record that can be read goes.
  /// - Returns: How many records were changed or went.
  /// - Throws: What the disk says; doing it again is right.
  public func erase(
    holding ids: [String] = [],
    where isErased: (EventView, RecordHeader) -> Bool
  ) throws(SystemError) -> Int {
    try changing.withLock { _ throws(SystemError) in
      var changed = 0
      for name in try names() {
        let file = path + "/" + name + Self.suffix
        let record = try files.readAll(file)
        switch PoisonRecord(record).erased(holding: ids, where: isErased) {
        case .nothing: continue
        case .whole: try forget(name)
        case .some(let rest):
          // The reason may repeat what was erased.
          try files.replace(
            path + "/" + name + Self.reasonSuffix,
            with: Array((Self.goneReason + "\n").utf8)
          )
          try files.replace(file, with: rest)
        }
        changed += 1
      }
      return changed
    }
  }

  private func forget(_ name: String) throws(SystemError) {
    try files.remove(path + "/" + name + Self.suffix)
    let reason = path + "/" + name + Self.reasonSuffix
    if files.exists(reason) { try files.remove(reason) }
  }

  /// Writes a record and why it cannot be read; synced when it returns.
  ///
  /// - Throws: `SystemError` when it could not be written; the record is still in the log.
  func keep(
    _ record: ArraySlice<UInt8>,
    reason: String,
    log: JournalID,
    position: JournalPosition
  ) throws(SystemError) {
    try changing.withLock { _ throws(SystemError) in
      try files.makeFolder(path)
      let name = "\(path)/\(log)-\(position.segment)-\(position.offset)"
      try files.replace(name + Self.reasonSuffix, with: Array((reason + "\n").utf8))
      try files.replace(name + Self.suffix, with: Array(record))
    }
  }

  private func names() throws(SystemError) -> [String] {
    guard files.exists(path) else { return [] }
    return try files.list(path).filter { $0.hasSuffix(Self.suffix) }
      .map { String($0.dropLast(Self.suffix.count)) }.sorted()
  }

  private static let goneReason =
    "It could not be loaded; why was taken out with what was erased of it."
  private static let suffix = ".record"
  private static let reasonSuffix = ".reason"
}

/// Why records that were set aside could not all be handed to the log again.
public enum ReplayError: Error, Sendable, CustomStringConvertible {
  /// The log takes nothing at the moment.
  case refused(replayed: Int)
  /// The disk refused one.
  case failed(replayed: Int, reason: String)

  /// What happened, as a sentence.
  public var description: String {
    switch self {
    case .refused(let replayed):
      "The ingest log takes nothing at the moment; \(replayed) records were handed over, the rest still lie in the poison folder."
    case .failed(let replayed, let reason):
      "A record could not be written to the ingest log: \(reason). \(replayed) were handed over, the rest still lie in the poison folder."
    }
  }
}
