public import FootfallJournal

/// A stretch of an ingest log: whole records, in their order.
public struct LoadBatch: Sendable {
  /// The log the records come from.
  public var log: JournalID
  /// Where the stretch starts; must be what the store has as the log's position.
  public var start: JournalPosition
  /// Where the stretch ends: the log's position once the batch is stored.
  public var end: JournalPosition
  /// Projects of which the result lists the stored events.
  public var watchedProjects: Set<UInt32> = []
  /// What was erased and must not be stored again.
  public var erased = EraseList()
  /// How many stored events the result lists at most; the last ones are kept.
  public var maxListedEvents = 500

  /// The records' bytes, one after the other.
  public private(set) var bytes: [UInt8] = []
  /// Where each record lies in `bytes`.
  public private(set) var records: [Range<Int>] = []
  /// The position after each record.
  public private(set) var recordEnds: [JournalPosition] = []

  /// A stretch without records.
  public init(log: JournalID, start: JournalPosition = .start) {
    self.log = log
    self.start = start
    end = start
  }

  /// Adds a record's bytes.
  ///
  /// - Parameters:
  ///   - record: the payload of one frame of the log; copied.
  ///   - position: the position after the frame.
  public mutating func append(_ record: UnsafeRawBufferPointer, upTo position: JournalPosition) {
    let start = bytes.count
    bytes.append(contentsOf: record)
    records.append(start..<bytes.count)
    recordEnds.append(position)
    end = position
  }

  /// Makes the batch start at a position, without records; keeps the memory.
  public mutating func restart(at position: JournalPosition) {
    start = position
    end = position
    bytes.removeAll(keepingCapacity: true)
    records.removeAll(keepingCapacity: true)
    recordEnds.removeAll(keepingCapacity: true)
  }
}

/// What became of a batch.
public struct LoadResult: Sendable {
  /// How many events were stored.
  public var stored = 0
  /// How many events the store had already, or the batch had twice.
  public var duplicates = 0
  /// Those by the project they were sent to and the day on which they were received.
  public var repeats: [ProjectDay: Int] = [:]
  /// How many events were left out because they were erased before they arrived.
  public var erased = 0
  /// The records that could not be read; nothing of them was stored.
  public var refused: [RefusedRecord] = []
  /// The stored events of the watched projects, oldest first, at most as many as were asked for.
  public var events: [StoredEvent] = []

  /// A result in which nothing happened.
  public init() {}
}

/// A day of a project, by which events are counted.
public struct ProjectDay: Sendable, Hashable {
  /// The project's number.
  public var project: UInt32
  /// Days since 1970 (UTC).
  public var day: Int64

  /// The day of a moment in milliseconds since 1970.
  public init(project: UInt32, atMs ms: Int64) {
    self.project = project
    day = ms / 86_400_000
  }
}

/// A record that a store cannot read.
public struct RefusedRecord: Sendable, Hashable {
  /// The record's place in its batch.
  public var index: Int
  /// Why it was refused.
  public var reason: String

  /// A refusal from its parts.
  public init(index: Int, reason: String) {
    self.index = index
    self.reason = reason
  }
}
