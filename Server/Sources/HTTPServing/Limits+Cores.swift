#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension HTTPServer.Limits {
  /// Processors that are on.
  static var cores: Int { sysconf(Int32(_SC_NPROCESSORS_ONLN)) }

  /// Raises the limit of open files so that the connections fit, as far as the system allows.
  func raiseOpenFiles() {
    var limit = rlimit()
    #if canImport(Glibc)
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0 else { return }
    let needed = rlim_t(connections + 256)
    guard limit.rlim_cur < needed else { return }
    limit.rlim_cur = min(needed, limit.rlim_max)
    _ = setrlimit(resource, &limit)
  }
}
