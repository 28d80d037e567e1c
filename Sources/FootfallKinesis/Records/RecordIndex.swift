import FootfallJournal

/// What is known of the records on disk without reading them: which there are, in which order, how
/// large, and where.
///
/// A value: it decides what is over a limit and what goes into a batch, and touches nothing.
struct RecordIndex: Sendable {
  /// A record without its data.
  struct Entry: Sendable, Hashable {
    var id: UInt64
    var savedMilliseconds: Int64
    var tries: UInt32
    var stream: String
    /// Data, key and stream's name.
    var bytes: Int
    /// Before the record in the journal; it may lie further on.
    var position: JournalPosition
    /// The segment it was written to.
    var segment: UInt64
  }

  private var entries: [UInt64: Entry] = [:]
  private var order = IDQueue()
  private var streams: [String: IDQueue] = [:]
  private var inSegment: [UInt64: Int] = [:]
  /// The bytes of all records.
  private(set) var bytes = 0
  /// The id of the next record.
  private(set) var nextID: UInt64 = 1

  /// How many records there are.
  var count: Int { entries.count }

  /// The id of the newest record that was ever there; 0 if there was none.
  var newestID: UInt64 { nextID - 1 }

  /// The oldest segment that holds a record; nil if there is none.
  var oldestSegment: UInt64? { inSegment.keys.min() }

  /// The record of an id.
  subscript(id: UInt64) -> Entry? { entries[id] }

  /// The records of a segment, oldest first.
  func entries(in segment: UInt64) -> [Entry] {
    entries.values.filter { $0.segment == segment }.sorted { $0.id < $1.id }
  }

  /// All records, oldest first.
  var all: [Entry] { entries.values.sorted { $0.id < $1.id } }

  /// Takes in a record, or where it lies now if it is known.
  mutating func add(_ entry: Entry) {
    note(entry.id)
    if let known = entries[entry.id] {
      leave(known.segment)
      entries[entry.id] = entry
    } else {
      entries[entry.id] = entry
      bytes += entry.bytes
      order.append(entry.id)
      streams[entry.stream, default: IDQueue()].append(entry.id)
    }
    inSegment[entry.segment, default: 0] += 1
  }

  /// Ids up to this one are taken.
  mutating func note(_ id: UInt64) {
    nextID = max(nextID, id == .max ? id : id + 1)
  }

  /// Forgets records.
  mutating func remove(_ ids: some Sequence<UInt64>) {
    for id in ids {
      guard let entry = entries.removeValue(forKey: id) else { continue }
      bytes -= entry.bytes
      leave(entry.segment)
    }
    order.dropFirst { entries[$0] == nil }
    if entries.isEmpty { (order, streams) = (IDQueue(), [:]) }
  }

  /// Forgets every record up to one.
  mutating func remove(through id: UInt64) {
    note(id)
    remove(entries.keys.filter { $0 <= id })
  }

  /// A record was not taken, so often by now.
  mutating func setTries(_ tries: UInt32, of id: UInt64) {
    note(id)
    entries[id]?.tries = tries
  }

  private mutating func leave(_ segment: UInt64) {
    let left = (inSegment[segment] ?? 0) - 1
    inSegment[segment] = left > 0 ? left : nil
  }
}

// MARK: - Limits

extension RecordIndex {
  /// The records that are older than a limit; none without one.
  ///
  /// Looks at the oldest until one is not, or, since clocks are set back and forth, at all of them;
  /// those on their way to the service are spared.
  func expired(
    nowMilliseconds: Int64,
    limitSeconds: Double,
    among all: Bool,
    sparing onTheirWay: Set<UInt64> = []
  ) -> [UInt64] {
    guard limitSeconds > 0, limitSeconds < 1e15 else { return [] }
    let (oldest, isBeforeAll) = nowMilliseconds.subtractingReportingOverflow(
      Int64(limitSeconds * 1_000)
    )
    guard !isBeforeAll else { return [] }
    var old: [UInt64] = []
    for id in order.ids where !onTheirWay.contains(id) {
      guard let entry = entries[id] else { continue }
      if entry.savedMilliseconds < oldest { old.append(id) } else if !all { break }
    }
    return old
  }

  /// The oldest records, so many that the others are within a limit of bytes; none without one.
  ///
  /// Those on their way to the service are spared and do not count: what comes of them is about to be
  /// known, and until then newer ones need not go for them.
  func excess(limitBytes: Int, sparing onTheirWay: Set<UInt64> = []) -> [UInt64] {
    let sent = onTheirWay.reduce(0) { $0 + (entries[$1]?.bytes ?? 0) }
    guard limitBytes > 0, bytes - sent > limitBytes else { return [] }
    var (left, gone) = (bytes - sent, [UInt64]())
    for id in order.ids where left > limitBytes && !onTheirWay.contains(id) {
      guard let entry = entries[id] else { continue }
      left -= entry.bytes
      gone.append(id)
    }
    return gone
  }
}

// MARK: - Batches

extension RecordIndex {
  /// How large a batch may be.
  struct BatchLimits: Sendable, Hashable {
    /// Source: `aws.md` section 3.6.
    var records = 128
    var bytes = 524_288
  }

  /// The first record of a stream after one and up to another.
  mutating func first(of stream: String, after: UInt64, through: UInt64) -> UInt64? {
    batch(of: stream, after: after, through: through, BatchLimits(records: 1)).first
  }

  /// The streams that have records, in no order.
  var streamNames: [String] { Array(streams.keys) }

  /// The next records of a stream, oldest first: as many as fit, and one if not even that does.
  mutating func batch(
    of stream: String,
    after: UInt64,
    through: UInt64,
    _ limits: BatchLimits
  ) -> [UInt64] {
    guard var queue = streams[stream] else { return [] }
    queue.dropFirst { entries[$0] == nil }
    streams[stream] = queue.isEmpty ? nil : queue
    var (batch, bytes) = ([UInt64](), 0)
    for id in queue.ids(after: after) {
      guard id <= through, batch.count < limits.records else { break }
      guard let entry = entries[id] else { continue }
      guard batch.isEmpty || bytes + entry.bytes <= limits.bytes else { break }
      batch.append(id)
      bytes += entry.bytes
    }
    return batch
  }
}

/// Ids in rising order, taken away at the front; those that are gone stay in until they come there.
private struct IDQueue: Sendable {
  private var all: [UInt64] = []
  private var head = 0

  var isEmpty: Bool { head == all.count }
  var ids: ArraySlice<UInt64> { all[head...] }

  /// Those behind one.
  func ids(after id: UInt64) -> ArraySlice<UInt64> {
    var (low, high) = (head, all.count)
    while low < high {
      let middle = (low + high) / 2
      if all[middle] <= id { low = middle + 1 } else { high = middle }
    }
    return all[low...]
  }

  mutating func append(_ id: UInt64) {
    // One that is written again after a restart comes out of order.
    guard let last = all.last, last > id else { return all.append(id) }
    let place = ids.firstIndex { $0 >= id } ?? all.endIndex
    if place == all.endIndex || all[place] != id { all.insert(id, at: place) }
  }

  mutating func dropFirst(while isGone: (UInt64) -> Bool) {
    while head < all.count, isGone(all[head]) { head += 1 }
    guard head > 1_024, head > all.count / 2 else { return }
    all.removeFirst(head)
    head = 0
  }
}
