/// A question to the events of a store, as a value.
///
/// The same value serves pages, the API and the command line: `try insight.run(on: store)`. It holds
/// its definition twice: as a statement for each dialect, and as plain code over a list of events,
/// which says what the statement must mean and answers for `InMemoryEventStore`.
public protocol Insight: Sendable {
  /// The answer.
  associatedtype Output: Sendable

  /// The statement; all values are bindings.
  func sql(_ dialect: Dialect) -> SQL

  /// Turns the statement's rows into the answer.
  ///
  /// - Throws: `StoreError.unexpectedValue` when a row is not what the statement promises.
  func output(of rows: [Row]) throws -> Output

  /// The answer by definition, over all events of a store in any order.
  func output(over events: [StoredEvent]) -> Output
}

extension Insight {
  /// Asks a store; blocks until the answer is there, so not for the concurrency pool.
  ///
  /// - Parameters:
  ///   - store: whom to ask.
  ///   - cancellation: stops the question when whoever asked goes away.
  /// - Returns: the answer.
  /// - Throws: `StoreError` when the store cannot answer, is too slow, or was cancelled.
  public func run(on store: any EventStore, cancellation: Cancellation? = nil) throws -> Output {
    try store.answer(self, cancellation: cancellation)
  }
}
