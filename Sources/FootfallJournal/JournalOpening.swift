import FootfallSystem

/// Opening a journal: take the lock, find the segments, cut what a stop left unfinished.
struct JournalOpening {
  let lock: any FileLock
  let id: JournalID
  private(set) var recovery = JournalRecovery()
  private let store: SegmentStore
  private var contents: SegmentStore.Contents
  private var sealed: [JournalState.Sealed] = []
  private let notesLastNumber: Bool
  private let lastNumber: UInt64

  init(
    _ store: SegmentStore,
    configuration: Journal.Configuration,
    random: () -> UInt64
  ) throws(JournalError) {
    self.store = store
    notesLastNumber = configuration.notesLastSegment
    let taken = try mappingErrors { () throws(SystemError) in
      try store.files.makeFolder(store.folder)
      return try store.files.lock(store.lockPath)
    }
    switch taken {
    case .acquired(let lock): self.lock = lock
    case .held(let process): throw .locked(pid: process)
    }
    contents = try mappingErrors { () throws(SystemError) in try store.contents() }
    lastNumber = store.lastNumber() ?? 0
    id = try store.identity(of: contents.segments, random: random)
    for name in contents.segments {
      let isLast = name == contents.segments.last
      try take(name, isLast: isLast, scans: isLast || configuration.scansAllSegments)
    }
    missTheLast()
    removeLeftovers()
  }

  func state(random: @escaping @Sendable () -> UInt64) -> JournalState {
    JournalState(
      store: store,
      id: id,
      random: random,
      sealed: sealed,
      retired: contents.retired,
      active: nil,
      nextNumber: max(contents.highestNumber, lastNumber) + 1,
      lastGone: lastNumber,
      notesLastNumber: notesLastNumber,
      durableEnd: sealed.last.map { JournalPosition(segment: $0.name.number, offset: $0.bytes) }
        ?? .start
    )
  }

  /// Adds a found segment to the list; an empty one goes.
  private mutating func take(
    _ name: SegmentName,
    isLast: Bool,
    scans: Bool
  ) throws(JournalError) {
    let file = try mappingErrors { () throws(SystemError) in
      try store.open(name, isLast ? .append : .read)
    }
    var previous: UInt64?
    let (format, damage) = try store.format(of: name, file, previous: &previous)
    if let previous { follow(previous) }
    if let damage, scans { recovery.gaps.append(damage) }
    var bytes = try mappingErrors { () throws(SystemError) in try file.size() }
    if scans {
      let framesBefore = recovery.frames
      var end = try scan(name, file, format, bytes: bytes, isLast: isLast)
      if damage != nil && recovery.frames == framesBefore && end < bytes {
        // Neither header nor frames: the salt may be the wrong one, so nothing is thrown away.
        recovery.gaps.append(gap(name, end..<bytes, .damaged))
        end = bytes
      }
      if end < bytes { try cut(name, file, to: end, from: bytes) }
      bytes = end
    }
    guard bytes > UInt64(SegmentHeader.byteCount) else {
      return try mappingErrors { () throws(SystemError) in try drop(name, isLast: isLast) }
    }
    sealed.append(JournalState.Sealed(name: name, bytes: bytes))
    guard isLast else { return }
    // The process that wrote it may have been killed before it synced file or folder.
    try mappingErrors { () throws(SystemError) in
      try file.sync()
      try store.files.syncFolder(store.folder)
    }
  }

  /// Compares the segment that comes before the next one, as that one says, with the one that does.
  private mutating func follow(_ previous: UInt64) {
    guard let last = sealed.last?.name.number else { return recovery.removed = previous }
    if previous > last { recovery.missing.append(last + 1...previous) }
  }

  /// Notices that segments are gone behind the last one that is there.
  private mutating func missTheLast() {
    let highest = contents.highestNumber
    guard lastNumber > highest else { return }
    recovery.missing.append((sealed.isEmpty ? lastNumber : highest + 1)...lastNumber)
  }

  /// Counts frames and gaps; returns where the last segment has to be cut.
  private mutating func scan(
    _ name: SegmentName,
    _ file: any OpenFile,
    _ format: FrameFormat,
    bytes: UInt64,
    isLast: Bool
  ) throws(JournalError) -> UInt64 {
    let start = UInt64(SegmentHeader.byteCount)
    guard bytes > start else { return bytes }
    var scanner = SegmentScanner(file, format: format, from: start, limit: bytes)
    while true {
      switch try mappingErrors({ () throws(SystemError) in try scanner.next() }) {
      case .end: return bytes
      case .frame(let payload):
        recovery.frames += 1
        recovery.payloadBytes += UInt64(payload.count)
      case .gap(let range, let endsFile):
        let isUnreadable = scanner.isUnreadable(range)
        // What a failing disk does not show today may be whole, so it is never cut.
        if endsFile && isLast && !isUnreadable { return range.lowerBound }
        recovery.gaps.append(gap(name, range, isUnreadable ? .unreadable : .damaged))
      }
    }
  }

  private mutating func cut(
    _ name: SegmentName,
    _ file: any OpenFile,
    to end: UInt64,
    from bytes: UInt64
  ) throws(JournalError) {
    recovery.tornTail = gap(name, end..<bytes, .tornTail)
    try mappingErrors { () throws(SystemError) in try file.truncate(to: end) }
  }

  private func gap(
    _ name: SegmentName,
    _ range: Range<UInt64>,
    _ reason: JournalGap.Reason
  ) -> JournalGap {
    JournalGap(
      position: JournalPosition(segment: name.number, offset: range.lowerBound),
      bytes: UInt64(range.count),
      reason: reason
    )
  }

  private mutating func drop(_ name: SegmentName, isLast: Bool) throws(SystemError) {
    guard isLast else { return try store.remove(name) }
    try store.retire(name)
    contents.retired.append(name)
    contents.retired.sort()
  }

  /// Removes retired files that a higher number has made superfluous, and drafts: their segments may go
  /// before they are rewritten again.
  private mutating func removeLeftovers() {
    for name in contents.drafts { store.discard(name, .draft) }
    let highest = contents.highestNumber
    for name in contents.retired where name.number < highest { store.discard(name, .retired) }
    contents.retired.removeAll { $0.number < highest }
  }
}
