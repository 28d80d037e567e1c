#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Standard input, output and error.
enum StandardFiles {
  /// Opens nothing in the place of those the caller closed.
  ///
  /// The next file opened would get the number of a closed one, and what is printed would be written
  /// into it: the catalogue, or the ingest log.
  static func open() {
    while true {
      let descriptor = Self.openNothing()
      guard (0...2).contains(descriptor) else {
        if descriptor > 2 { close(descriptor) }
        return
      }
    }
  }

  private static func openNothing() -> Int32 {
    #if canImport(Glibc)
    Glibc.open("/dev/null", O_RDWR)
    #else
    Darwin.open("/dev/null", O_RDWR)
    #endif
  }
}
