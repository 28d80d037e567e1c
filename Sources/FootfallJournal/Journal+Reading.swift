import FootfallSystem

extension Journal {
  /// Hands out the records from a position on, in order, each with the position after it.
  ///
  /// Goes on over segments until `upTo` (the durable end unless given) or until at least
  /// `maxBytes` of payload were handed out; a single larger record is handed out all the same.
  /// Damage is stepped over and reported; removed segments are passed over. `body` runs on the
  /// calling thread without any lock, and the bytes are valid only inside it. Others may append,
  /// sync and remove meanwhile.
  ///
  /// `from` is a position this journal gave, or `.start`. From anywhere else reading starts with a
  /// gap, at the next record.
  public func read(
    from start: JournalPosition,
    upTo limit: JournalPosition? = nil,
    maxBytes: Int = .max,
    _ body: (UnsafeRawBufferPointer, JournalPosition) -> Void
  ) throws(JournalError) -> JournalRead {
    let (store, segments, end) = try state.withLock { state throws(JournalError) in
      guard !state.isClosed else { throw .closed }
      return (state.store, state.readable(from: start), min(limit ?? state.durableEnd, state.end))
    }
    var pass = ReadingPass(
      store: store,
      end: end,
      isListed: { number in self.segments.contains { $0.number == number } },
      budget: maxBytes,
      read: JournalRead(next: start)
    )
    for segment in segments where segment.name.number <= end.segment {
      guard try pass.read(segment, body) else { return pass.read }
    }
    pass.read.reachedEnd = true
    return pass.read
  }
}

extension JournalState {
  /// The segments that hold anything from `start` on, with the bytes written so far.
  fileprivate func readable(from start: JournalPosition) -> [Sealed] {
    var list = sealed
    if let active { list.append(Sealed(name: active.name, bytes: active.bytes)) }
    return Array(list.drop { $0.name.number < start.segment })
  }
}

/// One call of `read`, on its way through the segments.
private struct ReadingPass {
  let store: SegmentStore
  let end: JournalPosition
  /// Whether the journal still has a segment of this number.
  let isListed: (UInt64) -> Bool
  var budget: Int
  var read: JournalRead

  /// Reads one segment; false once the budget is used up.
  mutating func read(
    _ segment: JournalState.Sealed,
    _ body: (UnsafeRawBufferPointer, JournalPosition) -> Void
  ) throws(JournalError) -> Bool {
    let number = segment.name.number
    let isEntered = read.next.segment == number
    let offset = isEntered ? read.next.offset : 0
    let limit = number == end.segment ? min(segment.bytes, end.offset) : segment.bytes
    guard offset < limit else { return true }
    guard budget > 0 else { return false }
    guard let file = try open(segment.name) else {
      if isListed(number) { step(over: offset..<limit, of: number, .missing) }
      return true
    }
    let (format, damage) = try store.format(of: segment.name, file)
    if let damage, offset < UInt64(SegmentHeader.byteCount) { read.gaps.append(damage) }
    var scanner = SegmentScanner(
      file,
      format: format,
      from: max(offset, UInt64(SegmentHeader.byteCount)),
      limit: limit,
      // Frames of events are some 300 bytes; their heads come on top of what is handed out.
      wanted: budget < .max / 2 ? budget + budget / 8 : .max
    )
    while budget > 0 {
      switch try mappingErrors({ () throws(SystemError) in try scanner.next() }) {
      case .end:
        if scanner.offset < limit { step(over: scanner.offset..<limit, of: number, .missing) }
        return true
      case .frame(let payload):
        read.frames += 1
        budget -= payload.count
        read.next = JournalPosition(segment: number, offset: scanner.offset)
        body(payload, read.next)
      case .gap(let range, isLast: _):
        step(over: range, of: number, scanner.isUnreadable(range) ? .unreadable : .damaged)
      }
    }
    return scanner.offset >= limit
  }

  private mutating func step(
    over range: Range<UInt64>,
    of segment: UInt64,
    _ reason: JournalGap.Reason
  ) {
    read.gaps.append(
      JournalGap(
        position: JournalPosition(segment: segment, offset: range.lowerBound),
        bytes: UInt64(range.count),
        reason: reason
      )
    )
    read.next = JournalPosition(segment: segment, offset: range.upperBound)
  }

  /// The segment's file; nil if it was removed meanwhile.
  private func open(_ name: SegmentName) throws(JournalError) -> (any OpenFile)? {
    do throws(SystemError) { return try store.open(name) } catch {
      guard error.isMissing && store.files.exists(store.folder) else { throw JournalError(error) }
      return nil
    }
  }
}
