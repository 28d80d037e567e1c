#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A file that a server touches every few seconds while it has jobs to do.
///
/// Whoever waits for a job sees by it that the server is alive, also where its process cannot be seen, as from
/// outside of its container. Without jobs nothing is written.
public struct ServerPulse: Sendable {
  /// Seconds between two beats.
  public static let intervalSeconds = 2.0

  let path: String

  /// Nanoseconds at which it last beat, by the clock of the file system: to be compared with what it was, not with
  /// any other clock; nil where no server has ever beaten.
  public func last() -> Int64? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    #if canImport(Glibc)
    let moment = found.st_mtim
    #else
    let moment = found.st_mtimespec
    #endif
    return Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec)
  }

  /// Beats once; what keeps it from that shows in the missing beat.
  func beat() {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    futimens(file, nil)
    close(file)
  }
}
