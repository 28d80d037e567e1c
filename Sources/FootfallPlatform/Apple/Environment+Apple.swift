#if canImport(Darwin)
extension Environment {
  static func systemTransport(log: Logger) -> any Transport { URLSessionTransport() }

  /// The watcher of the network is an adapter of `FootfallApple`.
  static func systemConnectivity() -> any Connectivity { UnknownConnectivity() }

  static func systemProcessEnd(log: Logger) -> any ProcessEnd {
    #if os(macOS)
    SystemProcessEnd(log: log)
    #else
    UnknownProcessEnd()
    #endif
  }
}
#endif
