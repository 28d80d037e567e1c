public import Catalog
public import IngestLog
internal import EventRecord
internal import FootfallJournal
internal import FootfallSystem

/// Counts what projects send and turns away who is over the day's number.
///
/// Any thread. The counts live in memory and go to the catalogue with every `flush`, together with the place
/// in the ingest log up to which they count: what a crash takes with it is counted again from there.
public final class UsageMeter: Sendable {
  private let ledger = Lock(UsageLedger())
  private let logID = Lock<JournalID?>(nil)
  private let losses = Lock(LossLedger())

  /// Nothing counted, nobody limited.
  public init() {}

  /// Takes over the days' counts and the numbers that hold.
  ///
  /// - Parameters:
  ///   - catalog: has the counts.
  ///   - log: what was taken after they were kept last lies here, and is counted now.
  /// - Throws: `CatalogError` when the catalogue cannot be read, `JournalError` for the log.
  public func start(from catalog: Catalog, log: IngestLog? = nil) throws {
    // Of all days: the clock may show another one by and by.
    let usage = try catalog.usage(fromDay: 0)
    let quotas = try catalog.quotas()
    ledger.withLock { ledger in
      ledger.restore(usage)
      ledger.quotas = quotas
    }
    guard let log else { return }
    logID.withLock { $0 = log.id }
    if let mark = try catalog.usageMark(), let position = UsageMark.position(mark, of: log.id) {
      try recount(log, from: position)
    } else {
      // Nobody knows what of this log was counted: what is there now counts as that.
      try catalog.addUsage([], upTo: UsageMark.text(log.id, log.durableEnd))
    }
  }

  private func recount(_ log: IngestLog, from position: JournalPosition) throws(JournalError) {
    let end = log.durableEnd
    guard end > position else { return }
    _ = try log.read(from: position, upTo: end) { record, end in
      guard let count = Self.count(record) else { return }
      ledger.withLock { ledger in
        ledger.took(
          events: count.events,
          bytes: record.count,
          project: count.project,
          nowMs: count.receivedAtMs,
          upTo: end
        )
      }
    }
  }

  /// The events of a record as they were counted when it came; nil for one that cannot be read, which the
  /// loader sets aside.
  private static func count(
    _ record: UnsafeRawBufferPointer
  ) -> (events: Int, project: UInt32, receivedAtMs: Int64)? {
    do throws(RecordError) {
      var reader = try RecordReader(record)
      var events = reader.eventCount
      if [.kinesis, .firehose].contains(reader.header.source) {
        events = 0
        while let entry = try reader.nextEntry() {
          if entry.kind != .streamRecord { events += 1 }
        }
      }
      return (events, reader.header.project, reader.header.receivedAtMs)
    } catch {
      return nil
    }
  }

  /// Keeps what was counted, and learns of numbers that were changed.
  ///
  /// - Throws: what the catalogue says; the counts are kept for the next time.
  public func flush(to catalog: Catalog) throws(CatalogError) {
    let (usage, upTo) = ledger.withLock { ($0.takePending(), $0.upTo) }
    let mark = logID.withLock { $0 }.flatMap { id in upTo.map { UsageMark.text(id, $0) } }
    do throws(CatalogError) {
      if !usage.isEmpty { try catalog.addUsage(usage, upTo: mark) }
    } catch {
      ledger.withLock { $0.putBack(usage) }
      throw error
    }
    let lost = takeLosses()
    do throws(CatalogError) {
      try catalog.addLosses(lost)
    } catch {
      losses.withLock { $0.putBack(lost) }
      throw error
    }
    let quotas = try catalog.quotas()
    setQuotas(quotas)
  }

  /// Takes back what the store had already.
  ///
  /// - Parameters:
  ///   - events: how many.
  ///   - project: whose they are.
  ///   - day: the day they were received on, in days since 1970 (UTC).
  public func repeated(events: Int, project: UInt32, day: Int64) {
    ledger.withLock { $0.repeated(events: events, project: project, day: day) }
  }

  /// What was lost since the last time it was kept.
  func takeLosses() -> [DayLosses] { losses.withLock { $0.takePending() } }

  /// Counts what came and was not kept, or what clients say they dropped.
  func lost(
    _ count: Int,
    _ kind: DayLosses.Kind,
    reason: String,
    library: String = "",
    project: UInt32,
    nowMs: Int64
  ) {
    losses.withLock {
      $0.count(count, kind, reason: reason, library: library, project: project, nowMs: nowMs)
    }
  }

  /// Makes these numbers hold until the next `flush`.
  func setQuotas(_ quotas: [UInt32: Int]) { ledger.withLock { $0.quotas = quotas } }

  /// What was counted since the last time it was kept.
  func takePending() -> [DayUsage] { ledger.withLock { $0.takePending() } }

  func waitSeconds(project: UInt32, nowMs: Int64) -> Int? {
    ledger.withLock { $0.waitSeconds(project: project, nowMs: nowMs) }
  }

  func took(
    events: Int,
    bytes: Int,
    project: UInt32,
    nowMs: Int64,
    upTo position: JournalPosition? = nil
  ) {
    ledger.withLock {
      $0.took(events: events, bytes: bytes, project: project, nowMs: nowMs, upTo: position)
    }
  }

  func refused(events: Int, project: UInt32, nowMs: Int64) {
    ledger.withLock { $0.refused(events: events, project: project, nowMs: nowMs) }
  }
}

/// A place in an ingest log as the catalogue keeps it: the log's id, the segment and the offset.
enum UsageMark {
  static func text(_ log: JournalID, _ position: JournalPosition) -> String {
    "\(log) \(position.segment) \(position.offset)"
  }

  /// The place in this log that a text names; nil for another log's, and for no such text.
  static func position(_ text: String, of log: JournalID) -> JournalPosition? {
    let parts = text.split(separator: " ")
    guard parts.count == 3, parts[0] == log.description, let segment = UInt64(parts[1]),
      let offset = UInt64(parts[2])
    else { return nil }
    return JournalPosition(segment: segment, offset: offset)
  }
}
