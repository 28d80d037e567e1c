extension FootfallClient {
  /// How large an event may be; the server's own limits, which can only be lowered.
  public struct Limits: Sendable, Hashable {
    /// The longest name, in characters; 256 unless changed, and at most.
    public var nameCharacters = 256
    /// The most properties of an event, nested ones included; 256 unless changed, and at most.
    public var properties = 256
    /// The longest text value, in bytes; 8,192 unless changed, and at most.
    public var textBytes = 8_192
    /// The largest event as it is sent, in bytes; 65,536 unless changed, and at most.
    public var eventBytes = 65_536

    /// The server's own limits.
    public init() {}
  }
}
