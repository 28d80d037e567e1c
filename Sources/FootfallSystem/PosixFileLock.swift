#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// An advisory lock on an open file, with the holder's process id as the file's text.
///
/// The system drops the lock when the process ends, however it ends. A child made by `fork` has a
/// copy of the descriptor, but the lock stays its parent's: releasing it there only closes the copy.
final class PosixFileLock: FileLock {
  private let descriptor: Lock<Int32?>
  private let owner = getpid()

  private init(_ descriptor: Int32) {
    self.descriptor = Lock(descriptor)
  }

  deinit {
    release()
  }

  static func take(_ path: String) throws(SystemError) -> FileLockResult {
    let descriptor = try PosixFiles.descriptor(path, O_RDWR | O_CREAT, .lock)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      let failure = SystemError.last(.lock, path)
      defer { close(descriptor) }
      guard failure.code == EWOULDBLOCK else { throw failure }
      return .held(byProcess: holder(descriptor))
    }
    note(getpid(), in: descriptor)
    return .acquired(PosixFileLock(descriptor))
  }

  func release() {
    let open = descriptor.withLock { descriptor in
      defer { descriptor = nil }
      return descriptor
    }
    guard let open else { return }
    guard owner == getpid() else {
      close(open)
      return
    }
    ftruncate(open, 0)
    // Closing alone would leave the lock with a child that is just being started.
    flock(open, LOCK_UN)
    close(open)
  }

  /// Leaves our process id for whoever finds the file locked; on a full disk the note is missing.
  private static func note(_ process: Int32, in descriptor: Int32) {
    ftruncate(descriptor, 0)
    let text = Array("\(process)\n".utf8)
    _ = pwrite(descriptor, text, text.count, 0)
  }

  private static func holder(_ descriptor: Int32) -> Int32 {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &text, text.count, 0)
    let digits = text.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
    return Int64(String(decoding: digits, as: UTF8.self)).flatMap(Int32.init(exactly:)) ?? 0
  }
}
