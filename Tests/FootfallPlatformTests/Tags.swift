import Testing

extension Tag {
  /// Uses sockets on the loopback address.
  @Tag static var network: Self
}
