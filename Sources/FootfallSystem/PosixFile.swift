#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file descriptor, closed with its last reference so that no thread can use a closed one.
final class PosixFile: OpenFile {
  private let descriptor: Int32
  private let path: String

  init(_ descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit {
    close(descriptor)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    guard !bytes.isEmpty else { return 0 }
    while true {
      #if canImport(Darwin)
      let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
      #elseif canImport(Musl)
      let count = Musl.write(descriptor, bytes.baseAddress, bytes.count)
      #else
      let count = Glibc.write(descriptor, bytes.baseAddress, bytes.count)
      #endif
      if count > 0 { return count }
      // Nothing taken and no reason given: call it full rather than ask for ever.
      guard count < 0 else { throw SystemError(code: ENOSPC, operation: .write, path: path) }
      guard errno == EINTR else { throw .last(.write, path) }
    }
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(SystemError) -> Int {
    guard let base = buffer.baseAddress else { return 0 }
    var done = 0
    while done < buffer.count {
      let count = pread(
        descriptor,
        base + done,
        buffer.count - done,
        numericCast(offset + UInt64(done))
      )
      if count == 0 { break }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw .last(.read, path)
      }
    }
    return done
  }

  func sync() throws(SystemError) {
    #if canImport(Darwin)
    // fsync leaves the bytes in the drive's own memory there. Some volumes know nothing better.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    let code = fsync(descriptor)
    #else
    let code = fdatasync(descriptor)
    #endif
    guard code == 0 else { throw .last(.sync, path) }
  }

  func truncate(to size: UInt64) throws(SystemError) {
    while ftruncate(descriptor, numericCast(size)) != 0 {
      guard errno == EINTR else { throw .last(.truncate, path) }
    }
  }

  func size() throws(SystemError) -> UInt64 {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size >= 0 else { throw .last(.size, path) }
    return UInt64(size)
  }
}
