public import FootfallCore
import FootfallEngine

// What becomes of events.
extension FootfallClient {
  /// What finally becomes of every event at the client's own server, from here on.
  ///
  /// Each access is a stream of its own. Holds the newest 1,000 results for a reader who is slow;
  /// older ones are left out. Ends when the client does, or when the reader stops.
  ///
  /// ```swift
  /// for await result in footfall.results {
  ///   if case .dropped(let reason, _, _) = result.outcome { print("\(result.name): \(reason)") }
  /// }
  /// ```
  public var results: AsyncStream<EventResult> {
    Self.stream { yield, finish in engine.observeResults(yield, onEnd: finish) }
  }

  /// Every step of every event from here on, for debug screens and tests.
  ///
  /// Each access is a stream of its own. Holds the newest 1,000 steps for a reader who is slow; older
  /// ones are left out. Ends when the client does, or when the reader stops. While someone reads,
  /// events cost more: their stored bytes are read again to tell them apart.
  public var steps: AsyncStream<DeliveryStep> {
    Self.stream { yield, finish in engine.observeSteps(yield, onEnd: finish) }
  }

  /// A slow reader loses what is older than this many elements.
  private static let streamLimit = 1_000

  private static func stream<Element: Sendable>(
    _ observe: (
      _ yield: @escaping @Sendable (Element) -> Void,
      _ finish: @escaping @Sendable () -> Void
    ) -> Subscription
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self,
      bufferingPolicy: .bufferingNewest(streamLimit)
    )
    let subscription = observe({ continuation.yield($0) }, { continuation.finish() })
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }
}
