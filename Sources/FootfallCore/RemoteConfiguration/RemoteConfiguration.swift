/// What the server says about how this app is to behave, as far as the client knows.
///
/// ```swift
/// let rows = footfall.remoteConfiguration.integer("checkout.rows") ?? 3
/// ```
///
/// A value: it does not change while you look at it. Reading one takes no lock and no disk.
public struct RemoteConfiguration: Sendable, Hashable {
  /// Where what counts comes from.
  public struct Source: RawRepresentable, Sendable, Hashable {
    /// The source's name.
    public let rawValue: String

    /// A source of this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Nothing is known of the server: the app's own values count.
    public static let local = Source(rawValue: "local")
    /// What the server answered in an earlier run.
    public static let cache = Source(rawValue: "cache")
    /// What the server answered, or confirmed, in this run.
    public static let server = Source(rawValue: "server")
  }

  /// All settings, without those that are null.
  public let values: Properties
  /// The number the server gives to this version of the settings, if it gives one.
  public let version: Int64?
  /// Where the settings come from.
  public let source: Source

  /// Nothing known of the server.
  public init() {
    values = Properties()
    version = nil
    source = .local
  }

  package init(_ document: RemoteDocument?, source: Source) {
    values = document?.content ?? Properties()
    version = document?.version
    self.source = source
  }

  /// The setting at a path through objects, such as `checkout.rows`; nil where there is none.
  ///
  /// A name that holds a dot itself cannot be reached so; go through `values`.
  public subscript(path: String) -> PropertyValue? {
    values.value(at: path.split(separator: ".", omittingEmptySubsequences: false))
  }

  /// The text at a path; nil where there is none, or something else.
  public func string(_ path: String) -> String? {
    if case .string(let value)? = self[path] { value } else { nil }
  }

  /// The truth value at a path; nil where there is none, or something else.
  public func boolean(_ path: String) -> Bool? {
    if case .boolean(let value)? = self[path] { value } else { nil }
  }

  /// The whole number at a path; nil where there is none, or something else.
  public func integer(_ path: String) -> Int64? {
    if case .integer(let value)? = self[path] { value } else { nil }
  }

  /// The number at a path, whole or not; nil where there is none, or something else.
  public func double(_ path: String) -> Double? {
    switch self[path] {
    case .double(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }
}
