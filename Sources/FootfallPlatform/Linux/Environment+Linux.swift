#if os(Linux)
extension Environment {
  static func systemTransport(log: Logger) -> any Transport {
    DeferredTransport { CurlTransport(log: log) }
  }

  static func systemConnectivity() -> any Connectivity { NetlinkConnectivity() }

  static func systemProcessEnd(log: Logger) -> any ProcessEnd { SystemProcessEnd(log: log) }
}
#endif
