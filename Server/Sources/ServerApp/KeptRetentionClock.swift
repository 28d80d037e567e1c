import Catalog
import Foundation

extension RetentionClock {
  /// The clock as the catalogue has it.
  ///
  /// Where it has none yet, it begins with the last day on which a server noted its size, or now.
  ///
  /// - Throws: What SQLite says; nothing may be removed then.
  init(of catalog: Catalog, nowMs: Int64) throws {
    if let text = try catalog.retentionClock() {
      do {
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
        return
      } catch {
        // As without one: what is told below is early enough.
      }
    }
    let lastDay = try catalog.diskDays(fromDay: 0).map(\.day).max()
    self.init(trustedMs: lastDay.map { min(nowMs, ($0 + 1) * 86_400_000 - 1) } ?? nowMs)
  }

  /// Keeps it for the next start.
  func keep(in catalog: Catalog) throws {
    try catalog.setRetentionClock(String(decoding: JSONEncoder().encode(self), as: UTF8.self))
  }

  /// What an operator should know; nil when the clock is believed.
  var problem: String? {
    guard let doubt else { return nil }
    func text(_ milliseconds: Int64) -> String {
      Date(timeIntervalSince1970: Double(milliseconds) / 1_000).formatted(.iso8601)
    }
    return
      "the clock shows \(text(doubt.seenMs)), but a server last looked at \(text(trustedMs)): events are "
      + "removed as if it still were then, until a server has seen the new time for a day. "
      + "Set the clock if it is wrong."
  }
}
