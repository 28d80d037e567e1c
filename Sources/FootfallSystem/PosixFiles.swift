#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The operating system's files.
///
/// Files are made for this user alone (mode 0600, folders 0700). `stat` and its kin are not used:
/// on Apple systems they would oblige every app to declare a reason.
public struct PosixFiles: FileSystem {
  /// The one file system there is.
  public init() {}

  /// Makes a folder and those above it; does nothing where it exists.
  public func makeFolder(_ path: String) throws(SystemError) {
    if mkdir(path, 0o700) == 0 { return }
    switch errno {
    case EEXIST where isFolder(path): return
    case ENOENT where path.parentFolder != path && path.parentFolder != ".":
      try makeFolder(path.parentFolder)
      guard mkdir(path, 0o700) == 0 || (errno == EEXIST && isFolder(path)) else {
        throw .last(.makeFolder, path)
      }
    default:
      // A read-only disk answers so even where the folder exists.
      let failure = SystemError.last(.makeFolder, path)
      guard failure.isReadOnly && isFolder(path) else { throw failure }
    }
  }

  private func isFolder(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return false }
    closedir(folder)
    return true
  }

  /// The names of what lies in a folder, in no order, without `.` and `..`.
  public func list(_ folder: String) throws(SystemError) -> [String] {
    guard let stream = opendir(folder) else { throw .last(.list, folder) }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw .last(.list, folder) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        String(cString: UnsafeRawPointer($0).assumingMemoryBound(to: CChar.self))
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  /// Whether a file or folder of this path can be found.
  public func exists(_ path: String) -> Bool {
    access(path, F_OK) == 0
  }

  /// Opens a file; its descriptor is closed with the last reference and not inherited by children.
  public func open(_ path: String, _ mode: FileAccess) throws(SystemError) -> any OpenFile {
    let flags =
      switch mode {
      case .read: O_RDONLY
      case .append: O_RDWR | O_APPEND | O_CREAT
      case .create: O_RDWR | O_APPEND | O_CREAT | O_EXCL
      }
    return PosixFile(try Self.descriptor(path, flags, .open), path: path)
  }

  /// Gives a file another name, replacing what had that name, in one step.
  public func rename(_ path: String, to newPath: String) throws(SystemError) {
    #if canImport(Darwin)
    let code = Darwin.rename(path, newPath)
    #elseif canImport(Musl)
    let code = Musl.rename(path, newPath)
    #else
    let code = Glibc.rename(path, newPath)
    #endif
    guard code == 0 else { throw .last(.rename, path) }
  }

  /// Removes a file or an empty folder.
  public func remove(_ path: String) throws(SystemError) {
    if unlink(path) == 0 { return }
    // A folder, which Linux answers by the one and POSIX by the other number.
    guard errno == EISDIR || errno == EPERM, rmdir(path) == 0 else { throw .last(.remove, path) }
  }

  /// Makes the folder's entries survive a power cut.
  public func syncFolder(_ path: String) throws(SystemError) {
    let descriptor = try Self.descriptor(path, O_RDONLY, .syncFolder)
    defer { close(descriptor) }
    // Some file systems have nothing to sync in a folder and say so.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw .last(.syncFolder, path) }
  }

  /// Takes an advisory lock (`flock`), which the system drops when the process ends.
  public func lock(_ path: String) throws(SystemError) -> FileLockResult {
    try PosixFileLock.take(path)
  }

  /// An open descriptor that children do not inherit.
  static func descriptor(
    _ path: String,
    _ flags: Int32,
    _ operation: SystemError.Operation
  ) throws(SystemError) -> Int32 {
    while true {
      #if canImport(Darwin)
      let descriptor = Darwin.open(path, flags | O_CLOEXEC, 0o600)
      #elseif canImport(Musl)
      let descriptor = Musl.open(path, flags | O_CLOEXEC, 0o600)
      #else
      let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
      #endif
      if descriptor >= 0 { return descriptor }
      guard errno == EINTR else { throw .last(operation, path) }
    }
  }
}
