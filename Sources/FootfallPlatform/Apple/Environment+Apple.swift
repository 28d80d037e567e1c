#if canImport(Darwin)
extension Environment {
  static func systemTransport(log: Logger) -> any Transport { URLSessionTransport() }
}
#endif
