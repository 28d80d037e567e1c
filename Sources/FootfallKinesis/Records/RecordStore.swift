import FootfallJournal
import FootfallSystem

/// Keeps records on disk until they are sent, in a journal of their own.
///
/// A record survives the end of the process once `save` has returned, and a power cut once `sync` has.
/// Belongs to one thread at a time.
final class RecordStore {
  private let journal: Journal
  var index = RecordIndex()
  /// What opening found damaged, as a sentence; nil if nothing was.
  private(set) var damage: String?

  /// Opens the store of a folder, or starts one.
  ///
  /// What is damaged is left out, and the rest written anew, so that it is found once.
  init(
    folder: String,
    files: any FileSystem,
    random: @escaping @Sendable () -> UInt64
  ) throws(JournalError) {
    var configuration = Journal.Configuration()
    configuration.maxSegmentBytes = 1 << 20
    configuration.maxUnsyncedBytes = 256 << 10
    journal = try Journal(
      folder: folder,
      configuration: configuration,
      files: files,
      random: random
    )
    try recover()
  }

  private func recover() throws(JournalError) {
    var found = RecordIndex()
    var before = JournalPosition.start
    let read = try journal.read(from: .start, upTo: journal.end) { bytes, end in
      if let frame = RecordFrame(bytes) {
        Self.take(frame, from: before, to: end, into: &found)
      }
      before = end
    }
    index = found
    guard let gap = read.gaps.first else { return }
    damage =
      "The store was damaged (\(gap)"
      + (read.gaps.count > 1 ? " and \(read.gaps.count - 1) more" : "")
      + "); what could be read, \(index.count) records, is kept."
    try rewrite(index.all)
    try journal.seal()
    try prune()
  }

  private static func take(
    _ frame: RecordFrame,
    from start: JournalPosition,
    to end: JournalPosition,
    into index: inout RecordIndex
  ) {
    switch frame {
    case .record(let record): index.add(.init(record, at: start, segment: end.segment))
    case .gone(let ids):
      ids.max().map { index.note($0) }
      index.remove(ids)
    case .tried(let tries):
      for (id, count) in tries { index.setTries(count, of: id) }
    case .goneThrough(let id): index.remove(through: id)
    }
  }

  /// Makes everything saved survive a power cut.
  func sync() throws(JournalError) {
    try journal.sync()
  }

  /// Gives the folder back.
  func close() {
    journal.close()
  }
}

// MARK: - Writing

extension RecordStore {
  /// Saves a record under the next id.
  func save(
    _ data: [UInt8],
    stream: String,
    partitionKey: String,
    nowMilliseconds: Int64
  ) throws(JournalError) {
    let record = StreamRecord(
      id: index.nextID,
      savedMilliseconds: nowMilliseconds,
      stream: stream,
      partitionKey: partitionKey,
      data: data
    )
    try write(record)
  }

  private func write(_ record: StreamRecord) throws(JournalError) {
    let start = journal.end
    let end = try journal.append(RecordFrame.record(record).bytes)
    index.add(.init(record, at: start, segment: end.segment))
  }

  /// These are sent, or given up.
  ///
  /// They are gone for this run whatever happens; after an error a later one may find them again.
  func remove(_ ids: [UInt64]) throws(JournalError) {
    guard !ids.isEmpty else { return }
    index.remove(ids)
    try journal.append(RecordFrame.gone(ids).bytes)
    try tidy()
  }

  /// Removes all records; see `remove` for what an error means.
  func removeAll() throws(JournalError) {
    let newest = index.newestID
    index.remove(through: newest)
    try journal.append(RecordFrame.goneThrough(newest).bytes)
    try tidy()
  }

  /// These were not taken, once more.
  func countTry(of ids: [UInt64]) throws(JournalError) {
    var tries: [UInt64: UInt32] = [:]
    for id in ids { if let entry = index[id] { tries[id] = entry.tries + 1 } }
    guard !tries.isEmpty else { return }
    for (id, count) in tries { index.setTries(count, of: id) }
    try journal.append(RecordFrame.tried(tries).bytes)
  }
}

// MARK: - Reading

extension RecordStore {
  /// How much is read at once, in bytes.
  private static let chunkBytes = 1 << 20

  /// The records of some ids, oldest first, and the ids of those that cannot be read any more.
  func load(_ ids: [UInt64]) throws(JournalError) -> (records: [StreamRecord], lost: [UInt64]) {
    var wanted = Dictionary(ids.compactMap { index[$0] }.map { ($0.id, $0) }) { first, _ in first }
    var found: [StreamRecord] = []
    guard var next = wanted.values.map(\.position).min() else { return ([], ids) }
    while !wanted.isEmpty {
      let read = try journal.read(from: next, upTo: journal.end, maxBytes: Self.chunkBytes) {
        bytes,
        _ in
        guard !wanted.isEmpty, case .record(var record)? = RecordFrame(bytes),
          let entry = wanted.removeValue(forKey: record.id)
        else { return }
        record.tries = entry.tries
        found.append(record)
      }
      next = read.next
      if read.reachedEnd { break }
    }
    return (found.sorted { $0.id < $1.id }, wanted.keys.sorted())
  }
}

// MARK: - Room

extension RecordStore {
  /// What lies in the journal beyond twice the records themselves before it is written anew, in bytes.
  private static let slackBytes = 4 << 20

  /// Gives back what the disk need not hold any more.
  private func tidy() throws(JournalError) {
    if index.count == 0, journal.end.offset > UInt64(Self.slackBytes / 16) { try journal.seal() }
    try prune()
    let held = journal.segments.reduce(0) { $0 + Int($1.bytes) }
    // A stream that nobody takes keeps old segments alive: what is left in them moves on.
    if held > 2 * index.bytes + Self.slackBytes, let oldest = index.oldestSegment,
      journal.segments.contains(where: { $0.number == oldest && $0.isSealed })
    {
      try rewrite(index.entries(in: oldest))
      try journal.sync()
      try prune()
    }
  }

  /// Writes records once more, at the end and under their ids.
  private func rewrite(_ entries: [RecordIndex.Entry]) throws(JournalError) {
    var rest = entries[...]
    while !rest.isEmpty {
      let some = rest.prefix(64)
      rest = rest.dropFirst(64)
      let (records, lost) = try load(some.map(\.id))
      for record in records { try write(record) }
      index.remove(lost)
    }
  }

  /// Removes the segments before the oldest record; behind it, they say what became of older ones.
  private func prune() throws(JournalError) {
    let oldest = index.oldestSegment ?? .max
    for segment in journal.segments where segment.isSealed && segment.number < oldest {
      try journal.remove(segment: segment.number)
    }
  }
}

extension RecordIndex.Entry {
  init(_ record: StreamRecord, at position: JournalPosition, segment: UInt64) {
    self.init(
      id: record.id,
      savedMilliseconds: record.savedMilliseconds,
      tries: record.tries,
      stream: record.stream,
      bytes: record.bytes,
      position: position,
      segment: segment
    )
  }
}
