import FootfallSystem

extension JournalState {
  /// Writes frames at the end; `encode` puts them into the buffer for the place they will have.
  ///
  /// Either all of them are in the journal afterwards or none. Returns the place before the first.
  mutating func append(
    _ encode: (FrameBuffer, FrameFormat, inout UInt64) -> Void
  ) throws(JournalError) -> JournalPosition {
    guard !isClosed else { throw .closed }
    try openActive()
    guard let segment = active else { throw .closed }
    let before = unsynced.count
    var offset = segment.bytes
    encode(unsynced, segment.format, &offset)
    do throws(SystemError) {
      try segment.file.writeAll(unsynced.bytes(from: before))
    } catch {
      unsynced.truncate(to: before)
      undoWrite()
      throw JournalError(error)
    }
    active?.bytes = offset
    return segment.end
  }

  /// Makes sure there is a segment to append to, and that frames of a given-up one are in it.
  mutating func openActive() throws(JournalError) {
    if active == nil {
      let name = SegmentName(number: nextNumber, salt: random())
      // Used up even if this fails: part of a file may have to stay behind under that number.
      nextNumber += 1
      let file = try mappingErrors { () throws(SystemError) in
        try store.create(name, id: id, previous: previousNumber)
      }
      active = Active(name: name, file: file)
    }
    guard !homeless.isEmpty, let segment = active else { return }
    unsynced.appendMarking(homeless, format: segment.format, at: segment.bytes)
    do throws(SystemError) {
      try segment.file.writeAll(unsynced.bytes())
    } catch {
      unsynced.removeAll()
      active = nil
      store.discard(segment.name)
      throw JournalError(error)
    }
    moves = moves.suffix(15) + [Move(from: homelessOrigin, to: segment.end)]
    active?.bytes += UInt64(unsynced.count)
    homeless.removeAll()
  }

  /// Takes half a write out of the active segment, or gives the segment up.
  private mutating func undoWrite() {
    guard let segment = active else { return }
    do throws(SystemError) {
      // A disk that took nothing needs no cut, and where it became read-only would refuse one.
      guard try segment.file.size() != segment.bytes else { return }
      try segment.file.truncate(to: segment.bytes)
    } catch {
      abandonActive()
    }
  }

  /// Gives up the active segment: what is not durable in it loses its home.
  ///
  /// The file is cut to what is durable. Should even that fail, the next opening finds the frames
  /// twice, which their readers must bear anyway (a repeated delivery has the same event keys).
  mutating func abandonActive() {
    guard let segment = active else { return }
    active = nil
    homelessOrigin = JournalPosition(segment: segment.name.number, offset: segment.durableBytes)
    homeless.appendUnmarked(syncing, format: segment.format, at: segment.durableBytes)
    homeless.appendUnmarked(
      unsynced,
      format: segment.format,
      at: segment.durableBytes + UInt64(syncing.count)
    )
    syncing.removeAll()
    unsynced.removeAll()
    guard segment.durableBytes > UInt64(SegmentHeader.byteCount) else {
      return store.discard(segment.name)
    }
    sealed.append(Sealed(name: segment.name, bytes: segment.durableBytes))
    do throws(SystemError) {
      try segment.file.truncate(to: segment.durableBytes)
    } catch {
      // Said above.
    }
  }

  /// Gives out no number up to this one any more.
  mutating func skip(to number: UInt64) {
    guard nextNumber <= number else { return }
    if let active, !active.hasFrames {
      self.active = nil
      store.discard(active.name)
    }
    nextNumber = number + 1
    lastGone = max(lastGone, number)
  }

  /// Closes the active segment; sync it before.
  mutating func sealActive() {
    guard let segment = active, segment.hasFrames else { return }
    active = nil
    sealed.append(Sealed(name: segment.name, bytes: segment.bytes))
  }

  /// Whether a segment is closed and still there.
  func isSealed(_ name: SegmentName) -> Bool { sealed.contains { $0.name == name } }

  /// Removes a sealed segment; does nothing if there is none of that number.
  mutating func remove(_ number: UInt64) throws(JournalError) {
    guard !isClosed else { throw .closed }
    guard active?.name.number != number else { throw .notSealed(segment: number) }
    guard let index = sealed.firstIndex(where: { $0.name.number == number }) else { return }
    let name = sealed[index].name
    let isHighest = active == nil && index == sealed.count - 1
    try mappingErrors { () throws(SystemError) in
      if isHighest { try store.retire(name) } else { try store.remove(name) }
    }
    lastGone = max(lastGone, number)
    if isHighest { retired.append(name) }
    sealed.remove(at: index)
  }
}
