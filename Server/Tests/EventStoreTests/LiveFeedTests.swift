import EventRecord
import EventStore
import FootfallSystem
import Testing

@Suite struct `Live feed` {
  private func event(_ number: UInt64, project: UInt32 = 1) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 1, low: number),
      project: project,
      name: "Opened",
      timestampMs: 0
    )
  }

  @Test func `a subscriber gets the events of its own project in their order`() {
    let feed = LiveFeed()
    let subscription = feed.subscribe(project: 1) {}
    feed.publish([event(1), event(2, project: 2), event(3)])
    #expect(subscription.take().events.map(\.key.low) == [1, 3])
    #expect(subscription.take().events.isEmpty)
  }

  @Test func `wakes once until the events are taken`() {
    let feed = LiveFeed()
    let wakes = Lock(0)
    let subscription = feed.subscribe(project: 1) { wakes.withLock { $0 += 1 } }
    feed.publish([event(1)])
    feed.publish([event(2)])
    feed.publish([event(3, project: 2)])
    #expect(wakes.withLock { $0 } == 1)
    _ = subscription.take()
    feed.publish([event(4)])
    #expect(wakes.withLock { $0 } == 2)
  }

  @Test func `what does not fit is counted and the newest events are kept`() {
    let feed = LiveFeed()
    let subscription = feed.subscribe(project: 1, capacity: 2) {}
    feed.publish([event(1), event(2), event(3)])
    feed.publish([event(4)])
    let (events, skipped) = subscription.take()
    #expect(events.map(\.key.low) == [3, 4])
    #expect(skipped == 2)
  }

  @Test func `a project is watched for as long as a subscription lives`() {
    let feed = LiveFeed()
    #expect(feed.watchedProjects.isEmpty)
    do {
      let dropped = feed.subscribe(project: 1) {}
      let cancelled = feed.subscribe(project: 2) {}
      #expect(feed.watchedProjects == [1, 2])
      cancelled.cancel()
      #expect(feed.watchedProjects == [1])
      feed.publish([event(1, project: 2)])
      #expect(cancelled.take().events.isEmpty)
      _ = dropped.take()
    }
    #expect(feed.watchedProjects.isEmpty)
  }
}
