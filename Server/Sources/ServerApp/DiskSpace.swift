import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// How much a folder takes and how much its disk has left.
enum DiskSpace {
  /// Bytes that this user may still write on the folder's disk; nil when the system does not say.
  static func free(at path: String) -> UInt64? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }

  /// Bytes of a file; 0 where there is none.
  static func size(of path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(max(0, status.st_size)) : 0
  }

  /// Bytes of all files below a folder; files that go away meanwhile count as nothing.
  static func used(at path: String) -> UInt64 {
    guard let walk = FileManager.default.enumerator(atPath: path) else { return 0 }
    var bytes: UInt64 = 0
    for case let name as String in walk {
      var status = stat()
      guard lstat(path + "/" + name, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        continue
      }
      bytes += UInt64(max(0, status.st_size))
    }
    return bytes
  }
}
