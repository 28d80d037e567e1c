import FootfallSystem

/// The files of a journal's folder.
struct SegmentStore: Sendable {
  let files: any FileSystem
  let folder: String

  /// What lies in the folder, each list sorted.
  struct Contents {
    var segments: [SegmentName] = []
    var retired: [SegmentName] = []
    /// What a stop in the middle of rewriting left.
    var drafts: [SegmentName] = []
    /// The highest number among folders that have a segment's name, which are left alone.
    var foreignNumber: UInt64 = 0

    /// The highest number ever given out and still known.
    var highestNumber: UInt64 {
      max(segments.last?.number ?? 0, retired.last?.number ?? 0, foreignNumber)
    }
  }

  var lockPath: String { folder + "/journal.lock" }
  var idPath: String { folder + "/journal.id" }

  func path(_ name: SegmentName, _ kind: SegmentName.Kind = .segment) -> String {
    folder + "/" + name.fileName(kind)
  }

  func contents() throws(SystemError) -> Contents {
    var contents = Contents()
    for file in try files.list(folder) {
      if let name = SegmentName(file, .segment) {
        guard !isFolder(path(name)) else {
          contents.foreignNumber = max(contents.foreignNumber, name.number)
          continue
        }
        contents.segments.append(name)
      } else if let name = SegmentName(file, .retired) {
        contents.retired.append(name)
      } else if let name = SegmentName(file, .draft) {
        contents.drafts.append(name)
      }
    }
    contents.segments.sort()
    contents.retired.sort()
    return contents
  }

  private func isFolder(_ path: String) -> Bool {
    do throws(SystemError) {
      _ = try files.list(path)
      return true
    } catch {
      return false
    }
  }

  /// A new file with its header; leaves no file behind when it fails.
  func create(
    _ name: SegmentName,
    id: JournalID,
    previous: UInt64
  ) throws(SystemError) -> any OpenFile {
    let file = try files.open(path(name), .create)
    do {
      let header = SegmentHeader(
        number: name.number,
        salt: name.salt,
        id: id,
        previous: previous
      )
      try file.writeAll(header.bytes)
      return file
    } catch {
      discard(name)
      throw error
    }
  }

  func open(_ name: SegmentName, _ access: FileAccess = .read) throws(SystemError) -> any OpenFile {
    try files.open(path(name), access)
  }

  /// The header; nil if it is damaged.
  func header(of file: any OpenFile) throws(SystemError) -> SegmentHeader? {
    let window = SegmentWindow(file, limit: UInt64(SegmentHeader.byteCount))
    guard let bytes = try window.bytes(at: 0, SegmentHeader.byteCount) else { return nil }
    return SegmentHeader(UnsafeRawBufferPointer(rebasing: bytes.prefix(SegmentHeader.byteCount)))
  }

  /// How to read a segment's frames: by its header's salt, or by its name's if that is damaged.
  ///
  /// The gap is set where the header is damaged.
  func format(
    of name: SegmentName,
    _ file: any OpenFile
  ) throws(JournalError) -> (format: FrameFormat, damage: JournalGap?) {
    var previous: UInt64?
    return try format(of: name, file, previous: &previous)
  }

  /// As above; also tells the number of the segment before it, where the header does.
  func format(
    of name: SegmentName,
    _ file: any OpenFile,
    previous: inout UInt64?
  ) throws(JournalError) -> (format: FrameFormat, damage: JournalGap?) {
    if let header = try mappingErrors({ () throws(SystemError) in try header(of: file) }) {
      previous = header.previous
      guard header.version <= SegmentHeader.supportedVersion else {
        throw .newerFormat(found: header.version, supported: SegmentHeader.supportedVersion)
      }
      return (FrameFormat(salt: header.salt), nil)
    }
    let size = try mappingErrors { () throws(SystemError) in try file.size() }
    let damage = JournalGap(
      position: JournalPosition(segment: name.number, offset: 0),
      bytes: min(size, UInt64(SegmentHeader.byteCount)),
      reason: .header
    )
    return (FrameFormat(salt: name.salt), damage.bytes > 0 ? damage : nil)
  }

  /// Removes a segment whose number must not come back although it is the highest.
  ///
  /// Needs no space: the name changes first, so a stop in between leaves a file that counts for
  /// its number only.
  func retire(_ name: SegmentName) throws(SystemError) {
    let retired = path(name, .retired)
    try files.rename(path(name), to: retired)
    try files.open(retired, .append).truncate(to: 0)
  }

  func remove(_ name: SegmentName, _ kind: SegmentName.Kind = .segment) throws(SystemError) {
    do { try files.remove(path(name, kind)) } catch {
      guard error.isMissing else { throw error }
    }
  }

  /// Removes a file nobody needs; if that fails, the next opening finds it and removes it then.
  func discard(_ name: SegmentName, _ kind: SegmentName.Kind = .segment) {
    do { try files.remove(path(name, kind)) } catch {
      // It is read by nobody.
    }
  }
}
