/// The few things Footfall asks of a disk.
///
/// Two real forms exist: `PosixFiles` here and `MemoryFiles` in `FootfallTesting`. Paths are plain
/// strings with `/` between components. All calls block and may come from any thread.
public protocol FileSystem: Sendable {
  /// Makes a folder and those above it; does nothing where it exists.
  func makeFolder(_ path: String) throws(SystemError)

  /// The names (not paths) of what lies in a folder, in no order.
  func list(_ folder: String) throws(SystemError) -> [String]

  /// Whether a file or folder of this path can be found.
  func exists(_ path: String) -> Bool

  /// Opens a file; it is closed when the last reference to it goes.
  func open(_ path: String, _ access: FileAccess) throws(SystemError) -> any OpenFile

  /// Gives a file another name, replacing what had that name, in one step.
  func rename(_ path: String, to newPath: String) throws(SystemError)

  /// Removes a file or an empty folder.
  func remove(_ path: String) throws(SystemError)

  /// Makes the folder's entries (new, renamed and removed names) survive a power cut.
  func syncFolder(_ path: String) throws(SystemError)

  /// Takes a lock that other processes, and other takers in this one, respect.
  ///
  /// The file is created if missing and holds the holder's process id. It is never removed: a
  /// second process could otherwise lock a file that is already gone.
  func lock(_ path: String) throws(SystemError) -> FileLockResult
}

/// How a file is opened.
public enum FileAccess: Sendable, Hashable {
  /// An existing file, for reading.
  case read
  /// For reading, and for writing at its end; created if missing.
  case append
  /// As `append`, but it is an error (`EEXIST`) if the file exists.
  case create
}

/// An open file.
///
/// Any thread may use it; writers to one file take turns by themselves.
public protocol OpenFile: AnyObject, Sendable {
  /// Writes at the end and returns how many bytes were taken: all of them, or fewer.
  ///
  /// A short write is no error by itself: asking again tells why.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int

  /// Reads from `offset` on and returns how many bytes came: fewer than asked only at the end.
  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(SystemError)
    -> Int

  /// Makes the file's bytes and size survive a power cut.
  ///
  /// After a failure the state of all bytes written since the last success is unknown, and a later
  /// success says nothing about them.
  func sync() throws(SystemError)

  /// Cuts the file to `size` bytes.
  func truncate(to size: UInt64) throws(SystemError)

  /// The file's size in bytes.
  func size() throws(SystemError) -> UInt64
}

/// What came of an attempt to lock a file.
public enum FileLockResult: Sendable {
  /// The lock is ours until it is released.
  case acquired(any FileLock)
  /// Somebody else holds it; 0 if their process id could not be read.
  case held(byProcess: Int32)
}

/// A lock held on a file; released by `release()` or when the last reference to it goes.
public protocol FileLock: AnyObject, Sendable {
  /// Gives the lock back. A second call does nothing.
  func release()
}

extension OpenFile {
  /// Writes all of `bytes` at the end, or throws.
  ///
  /// After an error some of the bytes may be in the file.
  public func writeAll(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try write(rest)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
  }

  /// Writes all of `bytes` at the end, or throws.
  public func writeAll(_ bytes: [UInt8]) throws(SystemError) {
    // The standard closures rethrow untyped errors; a result carries the type through.
    let result: Result<Void, SystemError> = bytes.withUnsafeBytes { buffer in
      do throws(SystemError) { return .success(try writeAll(buffer)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}

extension FileSystem {
  /// All bytes of a file.
  public func readAll(_ path: String) throws(SystemError) -> [UInt8] {
    let file = try open(path, .read)
    let size = Int(try file.size())
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      do throws(SystemError) {
        count = try file.read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Puts `bytes` in the place of a file's content in one step that survives a power cut.
  ///
  /// Whatever happens, the file holds either the old bytes or the new ones. Uses `path` + `.new`
  /// on the way, which callers with several threads must not enter at once.
  public func replace(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    let draft = path + ".new"
    let file = try open(draft, .append)
    try file.truncate(to: 0)
    try file.writeAll(bytes)
    try file.sync()
    try rename(draft, to: path)
    try syncFolder(path.parentFolder)
  }
}

extension String {
  /// The path of the folder this path lies in.
  var parentFolder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }
}
