/// How fast ids send, and which of them send too fast.
///
/// A value: it is told how many events of which ids a request holds, and says which of these are over
/// a limit. What it refuses does not count, so a client that waits is let in again.
struct SendingRates {
  /// An id of a project.
  struct ID: Hashable {
    var project: UInt32
    var isUser: Bool
    var text: String
  }

  /// How much one id may send.
  struct Limits: Sendable, Hashable {
    /// Events per second, on average over `averagedSeconds`; 0 for no limit.
    var perSecond: Int
    /// Events in any 24 hours, nearly; 0 for no limit.
    var perDay: Int
  }

  /// What an id has sent, when that is too much.
  struct Excess: Equatable {
    /// Events per second, when over the limit.
    var perSecond: Int?
    /// Events in 24 hours, when over the limit.
    var perDay: Int?
  }

  /// Seconds over which the rate is averaged.
  ///
  /// Source: HTTP V2 API, "Upload limit".
  static let averagedSeconds = 30

  private struct Sender {
    var recent: SlidingCount
    var day: SlidingCount
  }

  private var senders: [ID: Sender] = [:]
  private let maxSenders: Int

  /// Nothing sent yet; at most that many ids are remembered, and a flood of others forgets them.
  init(maxSenders: Int = 100_000) {
    self.maxSenders = maxSenders
  }

  /// Admits a request's events, or says which ids are over the limits; then nothing is counted.
  ///
  /// An id that has sent nothing in the time before is admitted with any number: a request that is
  /// refused whenever it comes would never arrive.
  mutating func admit(
    _ counts: [ID: Int],
    limits: Limits,
    nowMs: Int64
  ) -> [ID: Excess] {
    var excess: [ID: Excess] = [:]
    for (id, count) in counts {
      guard let sender = senders[id] else { continue }
      let over = Excess(
        perSecond: sender.recent.excess(
          adding: count,
          limit: limits.perSecond * Self.averagedSeconds,
          nowMs: nowMs
        ).map { ($0 + Self.averagedSeconds - 1) / Self.averagedSeconds },
        perDay: sender.day.excess(adding: count, limit: limits.perDay, nowMs: nowMs)
      )
      if over != Excess() { excess[id] = over }
    }
    guard excess.isEmpty else { return excess }
    for (id, count) in counts { add(count, to: id, nowMs: nowMs) }
    return [:]
  }

  private mutating func add(_ count: Int, to id: ID, nowMs: Int64) {
    if senders[id] == nil { makeRoom(nowMs: nowMs) }
    var sender =
      senders[id]
      ?? Sender(
        recent: SlidingCount(steps: Self.averagedSeconds, ofMs: 1_000, startMs: nowMs),
        day: SlidingCount(steps: 24, ofMs: 3_600_000, startMs: nowMs)
      )
    sender.recent.add(count, nowMs: nowMs)
    sender.day.add(count, nowMs: nowMs)
    senders[id] = sender
  }

  private mutating func makeRoom(nowMs: Int64) {
    guard senders.count >= maxSenders else { return }
    senders = senders.filter { $0.value.recent.count(nowMs: nowMs) > 0 }
    if senders.count >= maxSenders { senders.removeAll() }
  }
}

/// How many events fell into the time just past, counted in two stretches of that length.
///
/// The stretch before is taken as spread evenly over its steps, so the count is near the truth and takes
/// no more memory for a fast sender than for a slow one.
struct SlidingCount {
  private let stepMs: Int64
  private let lengthMs: Int64
  private var startMs: Int64
  private var previous = 0
  private var current = 0

  /// Nothing counted; the first stretch begins now.
  init(steps: Int, ofMs stepMs: Int64, startMs: Int64) {
    self.stepMs = stepMs
    lengthMs = stepMs * Int64(steps)
    self.startMs = startMs
  }

  /// The count of the stretch that ends now, its current step included.
  func count(nowMs: Int64) -> Int {
    let now = moved(to: nowMs)
    let passed = max(0, nowMs - now.startMs) / stepMs * stepMs + stepMs
    let left = max(0, lengthMs - passed)
    return now.current + Int(Int64(now.previous) * left / lengthMs)
  }

  /// The count with these events, when that is over the limit and not by these alone; 0 is no limit.
  func excess(adding events: Int, limit: Int, nowMs: Int64) -> Int? {
    guard limit > 0 else { return nil }
    let before = count(nowMs: nowMs)
    return before > 0 && before + events > limit ? before + events : nil
  }

  /// Counts events.
  mutating func add(_ events: Int, nowMs: Int64) {
    self = moved(to: nowMs)
    current += events
  }

  private func moved(to nowMs: Int64) -> SlidingCount {
    guard nowMs >= startMs + lengthMs else { return self }
    var moved = self
    let isNext = nowMs < startMs + 2 * lengthMs
    moved.previous = isNext ? current : 0
    moved.startMs = isNext ? startMs + lengthMs : nowMs
    moved.current = 0
    return moved
  }
}
