/// Why events stay on the device for now.
public struct DeliveryProblem: Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem; may grow.
  public struct Kind: Sendable, Hashable, RawRepresentable {
    /// The name of the kind, such as `offline`.
    public let rawValue: String
    /// A kind by name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
    /// The server could not be reached.
    public static let offline = Kind(rawValue: "offline")
    /// The server did not answer in time.
    public static let timedOut = Kind(rawValue: "timed_out")
    /// The server does not know the key (401): sending pauses and is tried again now and then.
    public static let keyRefused = Kind(rawValue: "key_refused")
    /// The server asked for time (`Retry-After`).
    public static let serverBusy = Kind(rawValue: "server_busy")
    /// The server gave an answer that promises nothing.
    public static let unexpectedAnswer = Kind(rawValue: "unexpected_answer")
    /// The device could not store or read events.
    public static let storageFailed = Kind(rawValue: "storage_failed")
    /// Collection is off.
    public static let disabled = Kind(rawValue: "disabled")
    /// The client was shut down, or its time for shutting down was over.
    public static let shutDown = Kind(rawValue: "shut_down")
  }

  /// The kind of problem.
  public let kind: Kind
  /// What happened, as a sentence with its numbers.
  public let description: String

  /// A problem from its parts.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
