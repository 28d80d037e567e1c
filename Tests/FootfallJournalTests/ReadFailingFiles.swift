import FootfallSystem
import FootfallTesting

/// A block of 4,096 bytes that cannot be read.
struct ReadFailures: Sendable {
  let range: Range<UInt64>

  init(from offset: UInt64) {
    range = offset..<(offset + 4_096)
  }
}

/// A disk in memory of which one block of every file has gone bad.
struct ReadFailingFiles: FileSystem {
  let base: MemoryFiles
  let failures: ReadFailures

  func makeFolder(_ path: String) throws(SystemError) { try base.makeFolder(path) }
  func list(_ folder: String) throws(SystemError) -> [String] { try base.list(folder) }
  func exists(_ path: String) -> Bool { base.exists(path) }
  func rename(_ path: String, to newPath: String) throws(SystemError) {
    try base.rename(path, to: newPath)
  }
  func remove(_ path: String) throws(SystemError) { try base.remove(path) }
  func syncFolder(_ path: String) throws(SystemError) { try base.syncFolder(path) }
  func lock(_ path: String) throws(SystemError) -> FileLockResult { try base.lock(path) }
  func open(_ path: String, _ access: FileAccess) throws(SystemError) -> any OpenFile {
    ReadFailingFile(base: try base.open(path, access), failures: failures)
  }
}

private final class ReadFailingFile: OpenFile {
  let base: any OpenFile
  let failures: ReadFailures

  init(base: any OpenFile, failures: ReadFailures) {
    self.base = base
    self.failures = failures
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int { try base.write(bytes) }
  func sync() throws(SystemError) { try base.sync() }
  func truncate(to size: UInt64) throws(SystemError) { try base.truncate(to: size) }
  func size() throws(SystemError) -> UInt64 { try base.size() }
  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(SystemError) -> Int {
    let count = try base.read(into: buffer, at: offset)
    guard !failures.range.overlaps(offset..<(offset + UInt64(count))) else {
      throw SystemError(code: Code.inputOutput, operation: .read, path: "a bad block")
    }
    return count
  }
}
