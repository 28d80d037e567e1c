public import Catalog
internal import FootfallSystem

/// Counts what projects send and turns away who is over the day's number.
///
/// Any thread. The counts live in memory and go to the catalogue with every `flush`; a crash forgets
/// those of the seconds since.
public final class UsageMeter: Sendable {
  private let ledger = Lock(UsageLedger())
  private let losses = Lock(LossLedger())

  /// Nothing counted, nobody limited.
  public init() {}

  /// Takes over today's counts and the numbers that hold.
  ///
  /// - Throws: what the catalogue says when it cannot be read.
  public func start(from catalog: Catalog, nowMs: Int64) throws(CatalogError) {
    let usage = try catalog.usage(fromDay: nowMs / 86_400_000)
    let quotas = try catalog.quotas()
    ledger.withLock { ledger in
      ledger.restore(usage)
      ledger.quotas = quotas
    }
  }

  /// Keeps what was counted, and learns of numbers that were changed.
  ///
  /// - Throws: what the catalogue says; the counts are kept for the next time.
  public func flush(to catalog: Catalog) throws(CatalogError) {
    let usage = takePending()
    do throws(CatalogError) {
      try catalog.addUsage(usage)
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

  func took(events: Int, bytes: Int, project: UInt32, nowMs: Int64) {
    ledger.withLock { $0.took(events: events, bytes: bytes, project: project, nowMs: nowMs) }
  }

  func refused(events: Int, project: UInt32, nowMs: Int64) {
    ledger.withLock { $0.refused(events: events, project: project, nowMs: nowMs) }
  }
}
