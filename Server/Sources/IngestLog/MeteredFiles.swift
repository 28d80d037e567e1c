internal import FootfallSystem
internal import Synchronization

/// Another file system with its writes and syncs counted, for the operator's numbers.
final class MeteredFiles: FileSystem {
  /// What was counted since the start.
  final class Counts: Sendable {
    let syncs = Atomic<UInt64>(0)
    let failedSyncs = Atomic<UInt64>(0)
    let writtenBytes = Atomic<UInt64>(0)
  }

  let counts = Counts()
  private let base: any FileSystem

  init(_ base: any FileSystem) { self.base = base }

  func makeFolder(_ path: String) throws(SystemError) { try base.makeFolder(path) }

  func list(_ folder: String) throws(SystemError) -> [String] { try base.list(folder) }

  func exists(_ path: String) -> Bool { base.exists(path) }

  func open(_ path: String, _ access: FileAccess) throws(SystemError) -> any OpenFile {
    MeteredFile(try base.open(path, access), counts: counts)
  }

  func rename(_ path: String, to newPath: String) throws(SystemError) {
    try base.rename(path, to: newPath)
  }

  func remove(_ path: String) throws(SystemError) { try base.remove(path) }

  func syncFolder(_ path: String) throws(SystemError) { try base.syncFolder(path) }

  func lock(_ path: String) throws(SystemError) -> FileLockResult { try base.lock(path) }
}

private final class MeteredFile: OpenFile {
  private let base: any OpenFile
  private let counts: MeteredFiles.Counts

  init(_ base: any OpenFile, counts: MeteredFiles.Counts) {
    self.base = base
    self.counts = counts
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    let count = try base.write(bytes)
    counts.writtenBytes.add(UInt64(count), ordering: .relaxed)
    return count
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(SystemError)
    -> Int
  {
    try base.read(into: buffer, at: offset)
  }

  func sync() throws(SystemError) {
    do throws(SystemError) { try base.sync() } catch {
      counts.failedSyncs.add(1, ordering: .relaxed)
      throw error
    }
    counts.syncs.add(1, ordering: .relaxed)
  }

  func truncate(to size: UInt64) throws(SystemError) { try base.truncate(to: size) }

  func size() throws(SystemError) -> UInt64 { try base.size() }
}
