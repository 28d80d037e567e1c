import FootfallSystem

/// Tells the operator in full what clients are told without the places of files.
///
/// The same again is told after a minute: a full disk fails every request. Any thread.
public final class FaultLog: Sendable {
  private static let repeatSeconds = 60.0

  private struct State {
    var last: (text: String, at: MonotonicTime)?
  }

  private let report: @Sendable (String) -> Void
  private let state = Lock(State())

  /// A log that goes to `report`; by default nowhere.
  public init(_ report: @escaping @Sendable (String) -> Void = { _ in }) { self.report = report }

  /// Notes what went wrong inside.
  ///
  /// - Returns: what whoever asked is told, see `ClientText`.
  @discardableResult
  public func note(_ error: any Error) -> String {
    let text = "\(error)"
    let isNew = state.withLock { state in
      let now = MonotonicTime.now()
      if let last = state.last, last.text == text, now.seconds(since: last.at) < Self.repeatSeconds
      {
        return false
      }
      state.last = (text, now)
      return true
    }
    if isNew { report("A request was not answered: \(text)") }
    return ClientText.of(text)
  }
}
