import FootfallSystem

/// Does things that may fail and are tried again later; of each it is told once that it fails, and once
/// that it works again.
final class Attempts: Sendable {
  private let failing = Lock<Set<String>>([])
  private let report: @Sendable (String) -> Void

  init(report: @escaping @Sendable (String) -> Void) { self.report = report }

  /// Does one thing.
  ///
  /// - Parameters:
  ///   - what: what it is, as the start of a sentence.
  ///   - body: does it.
  func attempt(_ what: String, _ body: () throws -> Void) {
    let failure: String?
    do {
      try body()
      failure = nil
    } catch { failure = "\(error)" }
    let isNew = failing.withLock { failing in
      failure == nil ? failing.remove(what) != nil : failing.insert(what).inserted
    }
    guard isNew else { return }
    report(
      failure.map { "\(what) failed and will be tried again: \($0)" } ?? "\(what) works again."
    )
  }
}
