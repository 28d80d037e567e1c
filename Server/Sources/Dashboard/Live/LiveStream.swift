import EventStore
import FootfallSystem
import Foundation
import HTTPServing

/// One open live page: waits for new events, renders those it shows, and sends them in small batches.
///
/// Events arrive on the loader's thread, which is only told to go on; the rendering happens on the
/// clock's thread, at most four times a second, so that a flood costs a page no more than that.
final class LiveStream: Sendable {
  private struct State {
    var subscription: Subscription?
    var isSending = false
    var sentMs: Int64 = 0
  }

  private let query: LiveQuery
  private let project: UInt32
  private let zone: TimeZone
  private let feed: LiveFeed
  private let clock: DashboardClock
  /// Whether whoever opened the page is still signed in; asked once a second, and before a batch is sent.
  private let isSignedIn: @Sendable () -> Bool
  private let state = Lock(State())

  /// The time between two batches.
  private static let pauseMs: Int64 = 250
  /// How many events a batch shows; of a flood the newest.
  private static let batchSize = 30

  init(
    _ query: LiveQuery,
    project: UInt32,
    zone: TimeZone,
    feed: LiveFeed,
    clock: DashboardClock,
    isSignedIn: @escaping @Sendable () -> Bool
  ) {
    self.query = query
    self.project = project
    self.zone = zone
    self.feed = feed
    self.clock = clock
    self.isSignedIn = isSignedIn
  }

  /// The stream as an answer.
  var events: ServerSentEvents {
    ServerSentEvents(
      isAllowed: isSignedIn,
      onStart: { self.start($0) },
      onClose: { self.stop() }
    )
  }

  private func start(_ out: ServerSentEvents) {
    let subscription = feed.subscribe(project: project, capacity: 2_000) { [weak self] in
      self?.wake(out)
    }
    state.withLock { $0.subscription = subscription }
    // Tells the page that from here on nothing is missed; it then fetches what came before.
    out.send("{}", event: "ready")
  }

  private func stop() {
    let subscription = state.withLock { state in
      defer { state.subscription = nil }
      return state.subscription
    }
    subscription?.cancel()
  }

  private func wake(_ out: ServerSentEvents) {
    let now = clock.nowMs()
    let wait = state.withLock { state -> Int64? in
      guard !state.isSending else { return nil }
      state.isSending = true
      return min(max(0, state.sentMs + Self.pauseMs - now), Self.pauseMs)
    }
    guard let wait else { return }
    clock.after(Double(wait) / 1_000) { [weak self] in self?.send(to: out) }
  }

  private func send(to out: ServerSentEvents) {
    let now = clock.nowMs()
    let subscription = state.withLock { state in
      state.isSending = false
      state.sentMs = now
      return state.subscription
    }
    guard let subscription else { return }
    guard isSignedIn() else { return out.close() }
    let (taken, skipped) = subscription.take()
    let shown = taken.filter(isShown)
    guard !shown.isEmpty || skipped > 0 else { return }
    let newest = Array(shown.suffix(Self.batchSize).reversed())
    let rows = newest.map {
      EventRow(event: $0, project: project, zone: zone, nowMs: now).html
    }
    let message = JSONText.object([
      .init(name: "rows", value: .string(("\(rows)" as HTML).text)),
      .init(name: "count", value: .number("\(shown.count)")),
      .init(name: "skipped", value: .number("\(skipped + shown.count - newest.count)")),
    ])
    out.send(message.encoded(indent: nil), event: "events")
  }

  private func isShown(_ event: StoredEvent) -> Bool {
    if let name = query.name, event.name != name { return false }
    if let person = query.person, !event.belongs(to: person) { return false }
    return true
  }
}
