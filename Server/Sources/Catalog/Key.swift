/// What a key may do and which protocol brought it.
public enum KeyKind: String, Sendable, Hashable, CaseIterable {
  /// Ours, public, write only: shipped inside apps.
  case ingest
  /// Ours, secret: reads and administers through the API.
  case secret
  /// An Amplitude API key that apps already ship.
  case amplitude
  /// A SimpleDataLogs key that apps already ship.
  case simpledatalogs
  /// A Phase key that apps already ship.
  case phase
  /// The access key id of AWS clients, with a secret beside it that their requests are signed with.
  case aws

  /// Whether such a key is ours, made by `createKey`.
  public var isMadeHere: Bool { self == .ingest || self == .secret }

  /// Whether a project takes such a key over by its value alone, instead of having one made.
  public var isAdopted: Bool { self != .ingest && self != .secret && self != .aws }
}

/// A key of a project as pages and the command line list it.
public struct Key: Sendable, Hashable, Identifiable {
  /// Its number, from 1, unique in the catalogue.
  public let id: Int64
  /// The project it belongs to.
  public let project: UInt32
  /// What it may do.
  public let kind: KeyKind
  /// What people call it; may be empty.
  public let label: String
  /// The key itself, or nil for a secret key, of which only a hash is kept.
  public let value: String?
  /// The key shortened for display, such as `ff_sec_Ab12…`.
  public let hint: String
  /// When it was made or adopted, in milliseconds since 1970.
  public let createdAtMs: Int64
  /// When it stopped working, or nil while it works.
  public let revokedAtMs: Int64?
  /// When it stops working because another took its place; nil where none did.
  public let endsAtMs: Int64?
  /// Whether all that is sent with it are test events.
  public let isTest: Bool
  /// What a secret key may do; nil for a key that only sends.
  public let role: Role?

  /// Whether requests with this key are refused.
  public var isRevoked: Bool { revokedAtMs != nil }
}

/// A key that was just made, with the only copy of its text.
public struct CreatedKey: Sendable, Hashable {
  /// The key as listed from now on.
  public let key: Key
  /// The key's full text, which for a secret key nobody sees again.
  public let plaintext: String
}

/// Who a program with a secret key is.
public struct SecretKeyHolder: Sendable, Hashable {
  /// The key's number.
  public let keyID: Int64
  /// The project it reads and administers; an owner's key all of them.
  public let project: UInt32
  /// What it may do there.
  public let role: Role
}

/// What is known of a key that sends, beside its project.
public struct KeyFacts: Sendable, Hashable {
  /// The protocol it came by.
  public let kind: KeyKind
  /// What people call it: where an app is built in several ways, which of them.
  public let label: String
  /// Whether all that is sent with it are test events.
  public let isTest: Bool

  /// A key's facts.
  public init(kind: KeyKind, label: String = "", isTest: Bool = false) {
    self.kind = kind
    self.label = label
    self.isTest = isTest
  }
}

/// What the catalogue says about a key that a request came with.
public enum KeyResolution: Sendable, Hashable {
  /// A working key that may send events to this project.
  case project(UInt32, keyID: Int64)
  /// No such key.
  case unknown
  /// A key that worked once.
  case revoked
  /// The text has the form of a secret key, whether it exists or not: it must not be in an app.
  case secretKeyNotForIngest
}
