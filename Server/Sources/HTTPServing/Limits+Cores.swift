#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension HTTPServer.Limits {
  /// Processors that are on.
  static var cores: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// What connections and the rest of the server need in open files.
  var openFilesNeeded: Int { connections + 256 }

  /// What to say where the system allows fewer open files than that; nil where it does not.
  func warning(openFilesAllowed allowed: Int) -> String? {
    guard allowed < openFilesNeeded else { return nil }
    return
      "\(connections) connections at once need \(openFilesNeeded) open files, and the system allows this process \(allowed): beyond that, connections wait. Raise the limit (ulimit -Hn, LimitNOFILE in systemd) or set --connections to \(max(16, allowed - 256))."
  }

  /// Raises the limit of open files so that the connections fit, as far as the system allows.
  ///
  /// - Returns: a warning where it does not allow as many.
  func raiseOpenFiles() -> String? {
    var limit = rlimit()
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return nil }
    let needed = rlim_t(openFilesNeeded)
    guard limit.rlim_cur < needed else { return nil }
    let before = limit.rlim_cur
    limit.rlim_cur = min(needed, limit.rlim_max)
    let allowed = setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before
    return warning(openFilesAllowed: Int(allowed))
  }
}
