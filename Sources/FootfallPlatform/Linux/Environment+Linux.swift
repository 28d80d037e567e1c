#if os(Linux)
extension Environment {
  static func systemTransport(log: Logger) -> any Transport { CurlTransport(log: log) }
}
#endif
