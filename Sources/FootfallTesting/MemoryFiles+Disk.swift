import FootfallSystem

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What lies on a `MemoryFiles` disk: the state all open files see, and the state after a power cut.
struct MemoryDisk {
  /// One file's content; shared by its folder entries and by those who have it open.
  ///
  /// Safety: only touched under the disk's lock.
  final class File: @unchecked Sendable {
    var bytes: [UInt8]
    var durable: [UInt8]

    init(bytes: [UInt8] = [], durable: [UInt8] = []) {
      self.bytes = bytes
      self.durable = durable
    }
  }

  var capacity: Int
  var isReadOnly = false
  var folders: Set<String> = []
  var entries: [String: File] = [:]
  var durableEntries: [String: File] = [:]
  var locks: [String: (process: Int32, owner: ObjectIdentifier)] = [:]
  var calls: [SystemError.Operation: Int] = [:]

  init(capacity: Int) {
    self.capacity = capacity
  }

  var freeBytes: Int {
    max(0, capacity - entries.values.reduce(0) { $0 + $1.bytes.count })
  }

  mutating func open(_ path: String, _ access: FileAccess) throws(SystemError) -> File {
    try requireFolder(path.parent ?? "/", .open, path)
    if access != .read { try requireWritable(.open, path) }
    guard !folders.contains(path) else {
      throw SystemError(code: EISDIR, operation: .open, path: path)
    }
    switch (entries[path], access) {
    case (nil, .read): throw SystemError(code: ENOENT, operation: .open, path: path)
    case (_?, .create): throw SystemError(code: EEXIST, operation: .open, path: path)
    case (let file?, _): return file
    case (nil, _):
      let file = File()
      entries[path] = file
      return file
    }
  }

  mutating func syncFolder(_ folder: String) {
    for path in Set(entries.keys).union(durableEntries.keys) where path.parent == folder {
      durableEntries[path] = entries[path]
    }
  }

  mutating func removeFolder(_ path: String) throws(SystemError) {
    let inside = path + "/"
    guard !folders.contains(where: { $0.hasPrefix(inside) }),
      !entries.keys.contains(where: { $0.hasPrefix(inside) })
    else {
      throw SystemError(code: ENOTEMPTY, operation: .remove, path: path)
    }
    folders.remove(path)
  }

  mutating func losePower(keepingTailBytes: Int) {
    entries = durableEntries
    for file in entries.values {
      let isAppended = file.bytes.starts(with: file.durable)
      let tail = isAppended ? file.bytes.dropFirst(file.durable.count) : []
      file.bytes = file.durable + tail.prefix(keepingTailBytes)
      file.durable = file.bytes
    }
    locks = [:]
  }

  func requireFolder(
    _ folder: String,
    _ operation: SystemError.Operation,
    _ path: String
  ) throws(SystemError) {
    guard folders.contains(folder) || folder == "/" else {
      throw SystemError(code: ENOENT, operation: operation, path: path)
    }
  }

  func requireWritable(
    _ operation: SystemError.Operation,
    _ path: String
  ) throws(SystemError) {
    guard !isReadOnly else { throw SystemError(code: EROFS, operation: operation, path: path) }
  }
}

/// A file of `MemoryFiles`.
final class MemoryFile: OpenFile {
  private let path: String
  private let file: MemoryDisk.File
  private let files: MemoryFiles

  init(path: String, file: MemoryDisk.File, files: MemoryFiles) {
    self.path = path
    self.file = file
    self.files = files
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    let allowed = try files.admit(.write, path)
    return try files.disk.withLock { disk throws(SystemError) in
      try disk.requireWritable(.write, path)
      let count = min(bytes.count, allowed, disk.freeBytes)
      guard count > 0 || bytes.isEmpty else {
        throw SystemError(code: ENOSPC, operation: .write, path: path)
      }
      file.bytes.append(contentsOf: bytes.prefix(count))
      return count
    }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(SystemError) -> Int {
    try files.admit(.read, path)
    return files.disk.withLock { _ in
      let start = min(file.bytes.count, Int(clamping: offset))
      let part = file.bytes[start...].prefix(buffer.count)
      buffer.copyBytes(from: part)
      return part.count
    }
  }

  func sync() throws(SystemError) {
    try files.admit(.sync, path)
    files.disk.withLock { _ in file.durable = file.bytes }
  }

  func truncate(to size: UInt64) throws(SystemError) {
    try files.admit(.truncate, path)
    try files.disk.withLock { disk throws(SystemError) in
      try disk.requireWritable(.truncate, path)
      let missing = Int(size) - file.bytes.count
      if missing > 0 {
        file.bytes.append(contentsOf: repeatElement(0, count: missing))
      } else {
        file.bytes.removeLast(-missing)
      }
    }
  }

  func size() throws(SystemError) -> UInt64 {
    try files.admit(.size, path)
    return files.disk.withLock { _ in UInt64(file.bytes.count) }
  }
}

/// A lock on a file of `MemoryFiles`.
final class MemoryFileLock: FileLock {
  private let path: String
  private let files: MemoryFiles

  init(path: String, files: MemoryFiles) {
    self.path = path
    self.files = files
  }

  deinit {
    release()
  }

  func release() {
    let owner = ObjectIdentifier(self)
    files.disk.withLock { disk in
      if disk.locks[path]?.owner == owner { disk.locks[path] = nil }
    }
  }
}

extension String {
  /// The folder this path lies in; nil for the root and for names without a folder.
  var parent: String? {
    guard let slash = lastIndex(of: "/"), self != "/" else { return nil }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
