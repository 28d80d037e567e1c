#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A copy of some bytes that ends where readable memory ends.
///
/// Whoever reads one byte too far ends the test process instead of passing by luck.
final class GuardedBytes {
  private let base: UnsafeMutableRawPointer
  private let mappedBytes: Int
  /// The copy.
  let bytes: UnsafeRawBufferPointer

  init(_ content: [UInt8]) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let contentPages = (content.count + page - 1) / page
    mappedBytes = (contentPages + 1) * page
    let mapped = mmap(
      nil,
      mappedBytes,
      PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS,
      -1,
      0
    )
    guard let mapped, mapped != MAP_FAILED else { preconditionFailure("No memory to map.") }
    base = mapped
    mprotect(base + contentPages * page, page, PROT_NONE)
    let start = base + contentPages * page - content.count
    UnsafeMutableRawBufferPointer(start: start, count: content.count).copyBytes(from: content)
    bytes = UnsafeRawBufferPointer(start: start, count: content.count)
  }

  deinit {
    munmap(base, mappedBytes)
  }
}
