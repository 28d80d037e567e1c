internal import FootfallSystem

/// Another file system that is only read: whatever would change it is taken and not done.
///
/// A log that is opened with it finds what it would find, and leaves torn ends, empty segments and drafts
/// where they are. Only the lock is real, so that nobody writes meanwhile.
struct UnchangedFiles: FileSystem {
  let base: any FileSystem

  func makeFolder(_ path: String) throws(SystemError) {}

  func list(_ folder: String) throws(SystemError) -> [String] { try base.list(folder) }

  func exists(_ path: String) -> Bool { base.exists(path) }

  func open(_ path: String, _ access: FileAccess) throws(SystemError) -> any OpenFile {
    guard access == .read || base.exists(path) else { return UnchangedFile(nil) }
    return UnchangedFile(try base.open(path, .read))
  }

  func rename(_ path: String, to newPath: String) throws(SystemError) {}

  func remove(_ path: String) throws(SystemError) {}

  func syncFolder(_ path: String) throws(SystemError) {}

  func lock(_ path: String) throws(SystemError) -> FileLockResult { try base.lock(path) }
}

/// A file that stays as it is; without a base, one that is not there.
private final class UnchangedFile: OpenFile {
  private let base: (any OpenFile)?

  init(_ base: (any OpenFile)?) { self.base = base }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int { bytes.count }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(SystemError)
    -> Int
  {
    try base?.read(into: buffer, at: offset) ?? 0
  }

  func sync() throws(SystemError) {}

  func truncate(to size: UInt64) throws(SystemError) {}

  func size() throws(SystemError) -> UInt64 { try base?.size() ?? 0 }
}
