import FootfallSystem

/// The statements that run now, by who runs them and what they call the run, so that they can be cancelled.
public final class ConsoleRuns: Sendable {
  private let runs = Lock([String: Cancellation]())

  /// Nothing runs yet.
  public init() {}

  /// Runs `body` with a switch that `cancel` throws meanwhile, and that is thrown by itself once the answer is
  /// not wanted any more.
  ///
  /// - Parameters:
  ///   - name: by whom the run is, and what they call it.
  ///   - isWanted: see `Cancellation`.
  ///   - body: what runs, with its switch.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws.
  public func run<Output>(
    _ name: String,
    while isWanted: @escaping @Sendable () -> Bool,
    _ body: (Cancellation) throws -> Output
  ) throws -> Output {
    let cancellation = Cancellation(while: isWanted)
    runs.withLock { $0[name] = cancellation }
    defer { runs.withLock { runs in if runs[name] === cancellation { runs[name] = nil } } }
    return try body(cancellation)
  }

  /// Stops a run.
  ///
  /// - Returns: false where none of that name is under way.
  public func cancel(_ name: String) -> Bool {
    let cancellation = runs.withLock { $0[name] }
    cancellation?.cancel()
    return cancellation != nil
  }
}
