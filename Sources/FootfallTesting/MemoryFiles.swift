public import FootfallSystem
import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A disk in memory that fails on demand: it fills up, cuts writes short, loses power.
///
/// It is stricter than real disks: after `losePower()` only what was synced is there, bytes and
/// folder entries alike. Locks belong to the object, as if it were one process.
public final class MemoryFiles: FileSystem {
  /// What happens to one call instead of its success.
  public enum Fault: Sendable {
    /// The call does nothing and throws this error number.
    case fail(Int32)
    /// A write takes only that many bytes. Other calls go through.
    case short(Int)
  }

  let disk: Lock<MemoryDisk>
  private let process: Int32
  private let onCall = Lock<(@Sendable (SystemError.Operation, String) -> Fault?)?>(nil)

  /// An empty disk of any size; `process` is the process id that its locks show.
  public init(capacityBytes: Int = .max, process: Int32 = 4_242) {
    disk = Lock(MemoryDisk(capacity: capacityBytes))
    self.process = process
  }

  /// Asks `decide` before every call whether it fails; nil lets it through.
  ///
  /// It runs on the calling thread with no lock held, so it may also block, to hold up a sync.
  public func intercept(_ decide: (@Sendable (SystemError.Operation, String) -> Fault?)?) {
    onCall.withLock { $0 = decide }
  }

  /// Whether any file has this text in it.
  ///
  /// Random ids are hexadecimal digits: what is looked for should have something else in it.
  package func holds(_ text: String) -> Bool {
    paths.contains { String(decoding: bytes($0) ?? [], as: UTF8.self).contains(text) }
  }

  /// Lets so many calls through and has every later one fail with an input/output error, as it looks to
  /// code whose process stops there.
  package func fail(after calls: Int) {
    let count = Lock(0)
    intercept { _, _ in
      let number = count.withLock { count in
        count += 1
        return count
      }
      return number <= calls ? nil : .fail(5)
    }
  }

  /// The disk's size from now on, in bytes of file content.
  public func setCapacity(_ bytes: Int) {
    disk.withLock { $0.capacity = bytes }
  }

  /// Whether every change is refused, as on a disk mounted for reading.
  public func setReadOnly(_ isReadOnly: Bool) {
    disk.withLock { $0.isReadOnly = isReadOnly }
  }

  /// How often an operation was called so far, failed calls included.
  public func count(of operation: SystemError.Operation) -> Int {
    disk.withLock { $0.calls[operation, default: 0] }
  }

  /// Forgets everything unsynced and all locks, as if the machine had lost power.
  ///
  /// Of every file's unsynced tail the first `keepingTailBytes` survive, since a disk may have
  /// written them by itself. Open files still work, on what is left: drop them first.
  public func losePower(keepingTailBytes: Int = 0) {
    disk.withLock { $0.losePower(keepingTailBytes: keepingTailBytes) }
  }

  /// Lets go of all locks, as if the process holding them had been killed.
  public func endProcess() {
    disk.withLock { $0.locks = [:] }
  }

  /// Locks a file in the name of another process.
  public func lockElsewhere(_ path: String, process: Int32) {
    disk.withLock { $0.locks[path] = (process, ObjectIdentifier(self)) }
  }

  /// A file's bytes, or nil if there is no such file.
  public func bytes(_ path: String) -> [UInt8]? {
    disk.withLock { disk in disk.entries[path].map { $0.bytes } }
  }

  /// Puts bytes on the disk from outside, durably; nil removes the file.
  public func setBytes(_ path: String, _ bytes: [UInt8]?) {
    disk.withLock { disk in
      let file = bytes.map { MemoryDisk.File(bytes: $0, durable: $0) }
      disk.entries[path] = file
      disk.durableEntries[path] = file
    }
  }

  /// Changes the bytes of a file from outside, durably, also for those who have it open.
  package func changeBytes(_ path: String, _ change: ([UInt8]) -> [UInt8]) {
    disk.withLock { disk in
      guard let file = disk.entries[path] else { return }
      file.bytes = change(file.bytes)
      file.durable = file.bytes
      disk.durableEntries[path] = file
    }
  }

  /// Removes a folder with all that is in it, as if someone had deleted it from outside.
  ///
  /// Open files still work, but nobody finds them any more.
  public func removeFolder(_ path: String) {
    let inside = path + "/"
    disk.withLock { disk in
      disk.folders = disk.folders.filter { $0 != path && !$0.hasPrefix(inside) }
      disk.entries = disk.entries.filter { !$0.key.hasPrefix(inside) }
      disk.durableEntries = disk.durableEntries.filter { !$0.key.hasPrefix(inside) }
      disk.locks = disk.locks.filter { !$0.key.hasPrefix(inside) }
    }
  }

  /// All paths of files, sorted.
  public var paths: [String] {
    disk.withLock { $0.entries.keys.sorted() }
  }

  /// A disk of its own with the same files and folders, all durable, and no locks.
  public func copy() -> MemoryFiles {
    let copy = MemoryFiles()
    let (folders, contents) = disk.withLock { ($0.folders, $0.entries.mapValues { $0.bytes }) }
    copy.disk.withLock { $0.folders = folders }
    for (path, bytes) in contents { copy.setBytes(path, bytes) }
    return copy
  }

  /// Makes a folder and those above it; does nothing where it exists.
  public func makeFolder(_ path: String) throws(SystemError) {
    try admit(.makeFolder, path)
    try disk.withLock { disk throws(SystemError) in
      if disk.folders.contains(path) { return }
      try disk.requireWritable(.makeFolder, path)
      for folder in sequence(first: path, next: { $0.parent }) { disk.folders.insert(folder) }
    }
  }

  /// The names of what lies in a folder, in no order.
  public func list(_ folder: String) throws(SystemError) -> [String] {
    try admit(.list, folder)
    return try disk.withLock { disk throws(SystemError) in
      try disk.requireFolder(folder, .list, folder)
      let inside = folder + "/"
      return (Array(disk.entries.keys) + Array(disk.folders))
        .filter { $0.hasPrefix(inside) && !$0.dropFirst(inside.count).contains("/") }
        .map { String($0.dropFirst(inside.count)) }
    }
  }

  /// Whether a file or folder of this path can be found.
  public func exists(_ path: String) -> Bool {
    disk.withLock { $0.entries[path] != nil || $0.folders.contains(path) }
  }

  /// Opens a file.
  public func open(_ path: String, _ access: FileAccess) throws(SystemError) -> any OpenFile {
    try admit(.open, path)
    let file = try disk.withLock { disk throws(SystemError) in
      try disk.open(path, access)
    }
    return MemoryFile(path: path, file: file, files: self)
  }

  /// Gives a file another name, replacing what had that name, in one step.
  public func rename(_ path: String, to newPath: String) throws(SystemError) {
    try admit(.rename, path)
    try disk.withLock { disk throws(SystemError) in
      try disk.requireWritable(.rename, path)
      guard let file = disk.entries.removeValue(forKey: path) else {
        throw SystemError(code: ENOENT, operation: .rename, path: path)
      }
      disk.entries[newPath] = file
    }
  }

  /// Removes a file or an empty folder.
  public func remove(_ path: String) throws(SystemError) {
    try admit(.remove, path)
    try disk.withLock { disk throws(SystemError) in
      try disk.requireWritable(.remove, path)
      if disk.folders.contains(path) { return try disk.removeFolder(path) }
      guard disk.entries.removeValue(forKey: path) != nil else {
        throw SystemError(code: ENOENT, operation: .remove, path: path)
      }
    }
  }

  /// Makes the folder's entries survive a power cut.
  public func syncFolder(_ path: String) throws(SystemError) {
    try admit(.syncFolder, path)
    try disk.withLock { disk throws(SystemError) in
      try disk.requireFolder(path, .syncFolder, path)
      disk.syncFolder(path)
    }
  }

  /// Takes a lock in the name of this disk's process.
  public func lock(_ path: String) throws(SystemError) -> FileLockResult {
    try admit(.lock, path)
    return try disk.withLock { disk throws(SystemError) in
      if let holder = disk.locks[path] { return .held(byProcess: holder.process) }
      try disk.requireWritable(.lock, path)
      _ = try disk.open(path, .append)
      let lock = MemoryFileLock(path: path, files: self)
      disk.locks[path] = (process, ObjectIdentifier(lock))
      return .acquired(lock)
    }
  }

  /// Counts a call and throws what was ordered for it; returns how many bytes a write may take.
  @discardableResult
  func admit(_ operation: SystemError.Operation, _ path: String) throws(SystemError) -> Int {
    disk.withLock { $0.calls[operation, default: 0] += 1 }
    let decide = onCall.withLock { $0 }
    switch decide?(operation, path) {
    case .fail(let code): throw SystemError(code: code, operation: operation, path: path)
    case .short(let bytes): return bytes
    case nil: return .max
    }
  }
}
