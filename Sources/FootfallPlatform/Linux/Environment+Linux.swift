#if os(Linux)
extension Environment {
  static func systemTransport(log: Logger) -> any Transport {
    DeferredTransport { CurlTransport(log: log) }
  }
}
#endif
