import FootfallJournal

/// A place between two events of the journal, which may be inside of a record.
struct SealingPlace: Sendable, Equatable, Comparable {
  /// Behind the frame that holds the last event before the place.
  var end: JournalPosition
  /// How many of that frame's events lie behind the place.
  var left = 0

  static let start = SealingPlace(end: .start)

  static func < (first: Self, second: Self) -> Bool {
    (first.end, second.left) < (second.end, first.left)
  }
}

/// Up to where events are in batches, and what is needed to go on from there.
struct SealingCursor: Sendable, Equatable {
  var place = SealingPlace.start
  /// Where reading starts: at or before the frame that has events behind the place.
  var readFrom = JournalPosition.start
  /// What batches of the events behind it have in common, up to the next record that says so.
  var content: [UInt8] = []

  init() {}

  /// A cursor behind an event.
  init(place: SealingPlace, frameStart: JournalPosition, content: [UInt8]) {
    self.place = place
    readFrom = place.left == 0 ? place.end : frameStart
    self.content = content
  }

  /// A cursor as it was stored, where nobody knows any more at which offset its frame started.
  init(place: SealingPlace, content: [UInt8]) {
    let segment = JournalPosition(segment: place.end.segment, offset: 0)
    self.init(place: place, frameStart: segment, content: content)
  }

  /// Before everything, for the journal of an earlier version.
  init(through end: JournalPosition) {
    self.init(place: SealingPlace(end: end), content: [])
  }

  /// Hands out the events of the next frame that lie behind the cursor, and steps over it.
  ///
  /// `start` is where the frame starts. `body` gets each event with the cursor behind it.
  mutating func pass(
    _ frame: UnsafeRawBufferPointer,
    from start: JournalPosition,
    to end: JournalPosition,
    _ body: (UnsafeRawBufferPointer, SealingCursor) -> Void
  ) {
    guard SealingPlace(end: end) > place else { return }
    switch JournalEntry(frame) {
    case .event:
      step(SealingPlace(end: end), start)
      body(frame, self)
    case .record(let record):
      let count = record.events.count
      let first = end == place.end ? max(0, count - place.left) : 0
      for index in first..<count {
        step(SealingPlace(end: end, left: count - 1 - index), start)
        body(record.events[index], self)
      }
    case .content(let content): self.content = content
    case .mark, .removed, .legacyMark, .unknown: break
    }
  }

  private mutating func step(_ place: SealingPlace, _ start: JournalPosition) {
    self.place = place
    readFrom = place.left == 0 ? place.end : start
  }
}
