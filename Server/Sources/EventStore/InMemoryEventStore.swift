import EventRecord
public import FootfallJournal
import FootfallSystem

/// A store in memory, for tests: plain lists, the rules written as they are said.
///
/// Answers insights by their definition; has no SQL.
public final class InMemoryEventStore: EventStore {
  fileprivate struct State {
    var events: [StoredEvent] = []
    var timesOfKeys: [EventKey: [Int64]] = [:]
    var positions: [JournalID: JournalPosition] = [:]
    var failure: StoreError?
    var console: (@Sendable (ConsoleQuery) throws -> ConsoleAnswer)?
    var erasures: Set<Int64> = []
    var beforeAnswers: (@Sendable (Cancellation?) throws -> Void)?
  }

  private let state: Lock<State>

  /// A store that holds these events.
  public init(_ events: [StoredEvent] = []) {
    var start = State()
    for event in events { start.add(event, rule: .forever) }
    state = Lock(start)
  }

  /// The dialect is never used: insights are answered by their definition.
  public var dialect: Dialect { .duckDB }

  /// All events in the order they were stored.
  public var events: [StoredEvent] { state.withLock { $0.events } }

  /// Adds events that the store does not have.
  public func insert(_ events: [StoredEvent], rule: DuplicateRule = .forever) {
    state.withLock { state in
      for event in events { state.add(event, rule: rule) }
    }
  }

  /// Makes every later call fail with this error; nil makes the store well again.
  public func fail(with failure: StoreError?) {
    state.withLock { $0.failure = failure }
  }

  /// Does something before each insight is answered, such as waiting; for tests of answers that take long.
  public func beforeAnswers(_ body: @escaping @Sendable (Cancellation?) throws -> Void) {
    state.withLock { $0.beforeAnswers = body }
  }

  /// Answers consoles in place of SQL, which this store does not know; for tests of what shows answers.
  public func answerConsoles(
    with answer: @escaping @Sendable (ConsoleQuery) throws -> ConsoleAnswer
  ) {
    state.withLock { $0.console = answer }
  }

  /// Answers as it was told to.
  ///
  /// - Throws: the error set by `fail(with:)`; `.unsupported` where it was told nothing.
  public func answer(
    _ query: ConsoleQuery,
    cancellation: Cancellation?
  ) throws -> ConsoleAnswer {
    let answer = try state.withLock { state throws(StoreError) in
      if let failure = state.failure { throw failure }
      return state.console
    }
    guard let answer else { throw StoreError.unsupported("statements in SQL") }
    return try answer(query)
  }

  /// Adds a batch's events.
  ///
  /// - Throws: the error set by `fail(with:)`, or `.engine` when the batch does not follow the position.
  public func load(
    _ batch: LoadBatch,
    beforeCommit: ([RefusedRecord]) -> Void
  ) throws -> LoadResult {
    try state.withLock { state throws(StoreError) in
      if let failure = state.failure { throw failure }
      guard state.positions[batch.log, default: .start] == batch.start else {
        throw .engine("the batch starts at another position than the store's")
      }
      var result = LoadResult()
      for (index, range) in batch.records.enumerated() {
        state.load(batch, record: range, index: index, into: &result)
      }
      if !result.refused.isEmpty { beforeCommit(result.refused) }
      state.positions[batch.log] = batch.end
      result.events = Array(result.events.suffix(batch.maxListedEvents))
      return result
    }
  }

  /// Up to where a log has been loaded.
  ///
  /// - Throws: the error set by `fail(with:)`.
  public func position(ofLog log: JournalID) throws -> JournalPosition? {
    try state.withLock { state throws(StoreError) in
      if let failure = state.failure { throw failure }
      return state.positions[log]
    }
  }

  /// Answers an insight by its definition.
  ///
  /// - Throws: the error set by `fail(with:)`.
  public func answer<Question: Insight>(
    _ insight: Question,
    cancellation: Cancellation?
  ) throws -> Question.Output {
    try state.withLock { $0.beforeAnswers }?(cancellation)
    let events = try state.withLock { state throws(StoreError) in
      if let failure = state.failure { throw failure }
      return state.events
    }
    return insight.output(over: events)
  }

  /// Whose devices a user's are: from a device's first to its last moment under that user.
  public func spans(ofUser user: Int64) throws -> [Erasure.Span] {
    let events = events
    let people = PeopleMap(events)
    return events.filter { $0.userID.isEmpty && people.person(of: $0) == user }.map { event in
      Erasure.Span(
        device: PersonNumber.device(
          project: event.project,
          id: event.deviceID,
          isTest: event.isTest
        ),
        fromMs: event.correctedMs,
        toMs: event.correctedMs + 1
      )
    }
  }

  /// How many stored events an erasure concerns.
  public func count(_ erasure: Erasure) throws -> Int {
    concerned(by: erasure, in: events).count
  }

  /// Removes all events that an erasure concerns.
  public func erase(_ erasure: Erasure) throws -> Int {
    state.withLock { state in
      guard state.erasures.insert(erasure.id).inserted else { return 0 }
      let gone = Set(concerned(by: erasure, in: state.events))
      state.events.removeAll(where: gone.contains)
      for event in gone {
        state.timesOfKeys[event.key]?.removeAll { $0 == event.timestampMs }
      }
      return gone.count
    }
  }

  /// The erasures that were done.
  public func erasuresDone() throws -> Set<Int64> { state.withLock { $0.erasures } }

  /// The events that meet every condition, whose each is by definition.
  private func concerned(by erasure: Erasure, in events: [StoredEvent]) -> [StoredEvent] {
    let people = PeopleMap(events)
    return events.filter { event in
      let device = PersonNumber.device(project: event.project, id: event.deviceID)
      let place = event.isTest ? PersonNumber.inTests(device) : device
      let isInSpan = erasure.spans.contains {
        $0.device == place && $0.fromMs <= event.correctedMs && event.correctedMs < $0.toMs
      }
      return event.project == erasure.project
        && min(event.correctedMs, event.receivedMs) < erasure.askedAtMs
        && event.correctedMs >= erasure.fromMs ?? .min && event.correctedMs < erasure.toMs ?? .max
        && erasure.name.map { $0 == event.name } ?? true
        && erasure.device.map { !event.deviceID.isEmpty && $0 == device } ?? true
        && erasure.user.map {
          people.person(of: event) == $0
            || event.userID.isEmpty && !event.deviceID.isEmpty && isInSpan
        } ?? true
    }
  }

  /// Has no SQL.
  ///
  /// - Throws: `StoreError.unsupported`, always.
  public func rows(_ sql: SQL, cancellation: Cancellation?) throws -> [Row] {
    throw StoreError.unsupported("SQL")
  }

  /// Removes expired events.
  ///
  /// - Throws: the error set by `fail(with:)`.
  public func remove(_ expired: ExpiredEvents, limit: Int) throws -> Int {
    try state.withLock { state throws(StoreError) in
      if let failure = state.failure { throw failure }
      var left = limit
      state.events.removeAll { event in
        guard left > 0, expired.holds(event) else { return false }
        left -= 1
        return true
      }
      return limit - left
    }
  }

  /// Does nothing.
  public func idle() {}

  /// Makes every later call fail.
  public func close() {
    fail(with: .closed)
  }
}

extension InMemoryEventStore.State {
  /// Keeps the event unless the rule says that it is there; returns whether it was kept.
  @discardableResult
  fileprivate mutating func add(_ event: StoredEvent, rule: DuplicateRule) -> Bool {
    let times = timesOfKeys[event.key, default: []]
    guard !times.contains(where: { rule.areSame($0, event.timestampMs) }) else { return false }
    timesOfKeys[event.key] = times + [event.timestampMs]
    events.append(event)
    return true
  }
}

extension InMemoryEventStore.State {
  /// Adds the events of one record, all or none.
  fileprivate mutating func load(
    _ batch: LoadBatch,
    record: Range<Int>,
    index: Int,
    into result: inout LoadResult
  ) {
    do {
      var erased = 0
      let events = try batch.bytes[record].withUnsafeBytes { bytes in
        var reader = try RecordReader(bytes)
        let client = String(decoding: reader.context, as: UTF8.self)
        var events: [(DuplicateRule, StoredEvent)] = []
        while let view = try reader.next() {
          guard !batch.erased.concerns(Erasure.Facts(view, header: reader.header)) else {
            erased += 1
            continue
          }
          events.append(
            (
              DuplicateRule(reader.header.source, flags: view.flags),
              StoredEvent(view, header: reader.header, client: client)
            )
          )
        }
        return events
      }
      result.erased += erased
      for (rule, event) in events {
        guard add(event, rule: rule) else {
          result.duplicates += 1
          result.repeats[
            ProjectDay(project: event.project, atMs: event.receivedMs),
            default: 0
          ] += 1
          continue
        }
        result.stored += 1
        if batch.watchedProjects.contains(event.project) { result.events.append(event) }
      }
    } catch {
      result.refused.append(RefusedRecord(index: index, reason: "\(error)"))
    }
  }
}
