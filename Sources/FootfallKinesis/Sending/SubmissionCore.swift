/// One submission of everything stored: which batch is next, and what an answer means.
///
/// Each record is sent once in a submission, oldest first within its stream; a stream that is in trouble
/// never holds up another. A value: it touches nothing. Source: `aws.md` section 3.6.
struct SubmissionCore: Sendable {
  /// Records that go in one request.
  struct Batch: Sendable, Hashable {
    var stream: String
    var ids: [UInt64]
  }

  /// What is to be done with stored records.
  enum Effect: Sendable, Hashable {
    /// The service has them.
    case delivered([UInt64])
    /// They were not taken this time.
    case countTry([UInt64])
    /// They are given up.
    case drop([UInt64], AWSRecorderDrop.Reason, stream: String, BatchProblem?)
  }

  /// Records up to this one are part of it.
  private var through: UInt64
  /// The last record that was sent, of each stream.
  private var sent: [String: UInt64] = [:]
  private var stopped: Set<String> = []
  /// Parts of batches that were refused, to be sent before anything else.
  private var parts: [Batch] = []
  private var isOver = false
  /// Why records are kept, of each stream in the order it was found out.
  private(set) var problems: [(stream: String, problem: BatchProblem)] = []

  /// A submission of records up to one.
  init(through: UInt64) {
    self.through = through
  }

  /// Someone else asked for a submission while this one is under way.
  mutating func join(through: UInt64) {
    self.through = max(self.through, through)
  }

  /// What is to be sent next; nil when nothing is left to do.
  mutating func next(_ index: inout RecordIndex, _ limits: RecordIndex.BatchLimits) -> Batch? {
    guard !isOver else { return nil }
    while let part = parts.popLast() {
      // Some may have been removed meanwhile.
      let ids = part.ids.filter { index[$0] != nil }
      if !ids.isEmpty { return Batch(stream: part.stream, ids: ids) }
    }
    var oldest: (stream: String, id: UInt64)?
    for stream in index.streamNames where !stopped.contains(stream) {
      let after = sent[stream] ?? 0
      guard let id = index.first(of: stream, after: after, through: through) else { continue }
      if oldest.map({ id < $0.id }) ?? true { oldest = (stream, id) }
    }
    guard let stream = oldest?.stream else { return nil }
    let ids = index.batch(of: stream, after: sent[stream] ?? 0, through: through, limits)
    sent[stream] = ids.last
    return Batch(stream: stream, ids: ids)
  }

  /// What the answer to a batch means; `mostTries` is how often a record may fail before the last time,
  /// 0 for ever.
  mutating func receive(
    _ answer: BatchAnswer,
    for batch: Batch,
    in index: RecordIndex,
    mostTries: UInt32
  ) -> [Effect] {
    switch answer {
    case .items(let items): return receive(items, for: batch, in: index, mostTries: mostTries)
    case .malformed(let problem): return split(batch, problem)
    case .streamRefused(let problem): stop(batch.stream, problem)
    case .unavailable(let problem):
      stop(batch.stream, problem)
      if problem.concernsAll { isOver = true }
    }
    return []
  }

  private mutating func receive(
    _ items: [BatchAnswer.Item],
    for batch: Batch,
    in index: RecordIndex,
    mostTries: UInt32
  ) -> [Effect] {
    var (delivered, again) = ([UInt64](), [UInt64]())
    var (tooOften, effects) = ([UInt64](), [Effect]())
    var last: BatchProblem?
    for (id, item) in zip(batch.ids, items) {
      switch item {
      case .delivered: delivered.append(id)
      case .invalid(let problem):
        effects.append(.drop([id], .rejected, stream: batch.stream, problem))
      case .again(let problem):
        last = problem
        let tries = (index[id]?.tries ?? 0) + 1
        if mostTries > 0, tries > mostTries { tooOften.append(id) } else { again.append(id) }
      }
    }
    if !delivered.isEmpty { effects.append(.delivered(delivered)) }
    if !again.isEmpty { effects.append(.countTry(again)) }
    if !tooOften.isEmpty {
      effects.append(.drop(tooOften, .triedTooOften, stream: batch.stream, last))
    }
    // A stream that takes nothing at all has had enough for now.
    if let last, again.count + tooOften.count == items.count { stop(batch.stream, last) }
    return effects
  }

  private mutating func split(_ batch: Batch, _ problem: BatchProblem) -> [Effect] {
    guard batch.ids.count > 1 else {
      return [.drop(batch.ids, .malformed, stream: batch.stream, problem)]
    }
    let middle = batch.ids.count / 2
    parts.append(Batch(stream: batch.stream, ids: Array(batch.ids[middle...])))
    parts.append(Batch(stream: batch.stream, ids: Array(batch.ids[..<middle])))
    return []
  }

  private mutating func stop(_ stream: String, _ problem: BatchProblem) {
    stopped.insert(stream)
    parts.removeAll { $0.stream == stream }
    note(stream, problem)
  }

  private mutating func note(_ stream: String, _ problem: BatchProblem) {
    guard !problems.contains(where: { $0.stream == stream }) else { return }
    problems.append((stream, problem))
  }
}
