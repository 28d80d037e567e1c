public import Foundation

/// What requests are signed with.
public final class AWSCredentials: NSObject, Sendable {
  /// The key's id, which is sent.
  public let accessKey: String
  /// The key itself, which is not.
  public let secretKey: String
  /// The token of a session; nil for a key that is of none.
  public let sessionKey: String?
  /// When they end; nil for never.
  public let expiration: Date?

  /// Credentials from their parts.
  public init(
    accessKey: String,
    secretKey: String,
    sessionKey: String?,
    expiration: Date?
  ) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionKey = sessionKey
    self.expiration = expiration
  }
}

/// Gives what requests are signed with, whenever one is sent.
///
/// Asked on any thread but the client's own, so a provider may block there; a request waits for it no
/// longer than for its answer. A provider that has none yet, as before someone signed in, answers with a task
/// that fails; what was to be sent is kept.
public protocol AWSCredentialsProvider: NSObjectProtocol {
  /// A task that ends with credentials, or with why there are none.
  func credentials() -> AWSTask<AWSCredentials>
  /// The service refused what was given last; what is held of it is to be let go.
  func invalidateCachedTemporaryCredentials()
}

/// Gives one key, for good.
public final class AWSStaticCredentialsProvider: NSObject, AWSCredentialsProvider, Sendable {
  private let held: AWSCredentials

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// A provider of a key.
  ///
  /// Never nil: the documented initialiser is declared so that it could be.
  public init!(accessKey: String, secretKey: String) {
    held = AWSCredentials(
      accessKey: accessKey,
      secretKey: secretKey,
      sessionKey: nil,
      expiration: nil
    )
  }

  /// A task that has ended with the key.
  public func credentials() -> AWSTask<AWSCredentials> { AWSTask(result: held) }

  /// Does nothing: the key does not change.
  public func invalidateCachedTemporaryCredentials() {}
}

/// Gives one key of a session, for good.
public final class AWSBasicSessionCredentialsProvider: NSObject, AWSCredentialsProvider, Sendable {
  private let held: AWSCredentials

  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// A provider of a key of a session.
  ///
  /// Never nil: the documented initialiser is declared so that it could be.
  public init!(accessKey: String, secretKey: String, sessionToken: String) {
    held = AWSCredentials(
      accessKey: accessKey,
      secretKey: secretKey,
      sessionKey: sessionToken,
      expiration: nil
    )
  }

  /// A task that has ended with the key.
  public func credentials() -> AWSTask<AWSCredentials> { AWSTask(result: held) }

  /// Does nothing: the key does not change.
  public func invalidateCachedTemporaryCredentials() {}
}

/// Gives nothing: requests go unsigned nowhere, so everything is kept.
public final class AWSAnonymousCredentialsProvider: NSObject, AWSCredentialsProvider, Sendable {
  /// A provider of nothing.
  public override init() {}

  /// A task that has failed.
  public func credentials() -> AWSTask<AWSCredentials> {
    AWSTask(error: AWSServiceError.noCredentials("The provider is anonymous."))
  }

  /// Does nothing.
  public func invalidateCachedTemporaryCredentials() {}
}
