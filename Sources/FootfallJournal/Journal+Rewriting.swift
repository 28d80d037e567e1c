import FootfallSystem

extension Journal {
  /// Replaces payloads of sealed segments by others of the same length, so that every position stays.
  ///
  /// A segment is written anew beside the old file and then takes its place: a stop at any moment
  /// leaves one or the other, whole. Who is reading the old one reads on to its end. The segment that
  /// is appended to is left alone; `seal` before to have it among the others. One call at a time works, a
  /// second one waits; a segment that is removed meanwhile is passed over.
  ///
  /// - Parameter change: given each payload; nil leaves it, anything of another length too.
  /// - Returns: how many payloads were replaced.
  /// - Throws: `JournalError`; segments that were done stay done, and calling again is right.
  public func rewrite(
    _ change: (UnsafeRawBufferPointer) -> [UInt8]?
  ) throws(JournalError) -> Int {
    // Two at once would write into the same draft, and one would put the other's half into place.
    try rewriting.withLock { _ throws(JournalError) in
      var replaced = 0
      for segment in state.withLock({ $0.sealed }) {
        do throws(JournalError) { replaced += try rewrite(segment.name, change) } catch {
          guard error == .missingFolder, !state.withLock({ $0.isSealed(segment.name) }) else {
            throw error
          }
        }
      }
      return replaced
    }
  }

  private func rewrite(
    _ name: SegmentName,
    _ change: (UnsafeRawBufferPointer) -> [UInt8]?
  ) throws(JournalError) -> Int {
    let store = state.withLock { $0.store }
    let (format, _) = try readFormat(name, store)
    return try mappingErrors { () throws(SystemError) in
      let file = try store.open(name)
      let size = try file.size()
      var scanner = SegmentScanner(file, format: format, from: 0, limit: size)
      var edits: [(offset: UInt64, payload: [UInt8])] = []
      loop: while true {
        switch try scanner.next() {
        case .end: break loop
        case .gap: continue
        case .frame(let payload):
          guard let new = change(payload), new.count == payload.count else { continue }
          let offset = scanner.offset - UInt64(FrameFormat.headBytes + payload.count)
          edits.append((offset, new))
        }
      }
      guard !edits.isEmpty else { return 0 }
      try replace(name, in: store, format: format, size: size, edits)
      return edits.count
    }
  }

  private func readFormat(
    _ name: SegmentName,
    _ store: SegmentStore
  ) throws(JournalError) -> (format: FrameFormat, damage: JournalGap?) {
    let file = try mappingErrors { () throws(SystemError) in try store.open(name) }
    return try store.format(of: name, file)
  }

  private func replace(
    _ name: SegmentName,
    in store: SegmentStore,
    format: FrameFormat,
    size: UInt64,
    _ edits: [(offset: UInt64, payload: [UInt8])]
  ) throws(SystemError) {
    var bytes = try store.files.readAll(store.path(name))
    // Emptied on its way out, when it is the last one.
    guard bytes.count >= size else { return }
    for edit in edits {
      let checksum = edit.payload.withUnsafeBytes { FrameFormat.checksum($0) }
      let marks = format.marks(at: edit.offset)
      let head = FrameHead(
        magic: marks.magic,
        length: UInt32(edit.payload.count),
        check: checksum ^ marks.mask
      )
      let start = Int(edit.offset)
      bytes.withUnsafeMutableBytes { bytes in
        if let base = bytes.baseAddress { head.store(to: base + start) }
      }
      let from = start + FrameFormat.headBytes
      bytes.replaceSubrange(from..<from + edit.payload.count, with: edit.payload)
    }
    let draft = store.path(name, .draft)
    let file = try store.files.open(draft, .append)
    try file.truncate(to: 0)
    try file.writeAll(bytes)
    try file.sync()
    // Under the lock: a segment that was removed meanwhile must not come back.
    let isThere = try state.withLock { state throws(SystemError) in
      guard state.isSealed(name) else { return false }
      try store.files.rename(draft, to: store.path(name))
      return true
    }
    guard isThere else { return try store.files.remove(draft) }
    try store.files.syncFolder(store.folder)
  }
}
