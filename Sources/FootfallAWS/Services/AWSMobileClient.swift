import FootfallSystem
public import Foundation

/// Who uses the app, for apps that have no directory of users: a guest.
///
/// It sends nothing. As a provider of credentials it gives the key of the configuration file. Any
/// thread.
public final class AWSMobileClient: NSObject, AWSCredentialsProvider, Sendable {
  private struct Listener {
    weak var owner: AnyObject?
    let tell: (UserState, [String: String]) -> Void
  }

  private struct State {
    var user = UserState.unknown
    var listeners: [Listener] = []
  }

  private static let shared = AWSMobileClient()
  private let state = Lock(State())

  /// The one of the app.
  public static func `default`() -> AWSMobileClient { shared }

  /// The one of the app.
  @available(*, deprecated, renamed: "default()")
  public static func sharedInstance() -> AWSMobileClient { shared }

  /// Finds out who uses the app: a guest.
  ///
  /// - Parameter completionHandler: Called once, on the caller's thread before the call returns, with
  ///   `.guest` and no error; another call is told the same.
  public func initialize(_ completionHandler: @escaping (UserState?, (any Error)?) -> Void) {
    let listeners = state.withLock { state -> [Listener] in
      defer { state.user = .guest }
      return state.user == .guest ? [] : state.listeners
    }
    completionHandler(.guest, nil)
    for listener in listeners where listener.owner != nil { listener.tell(.guest, [:]) }
  }

  /// Who uses the app; `.unknown` before `initialize(_:)`.
  public var currentUserState: UserState { state.withLock { $0.user } }

  /// Whether someone has signed in: never.
  public var isSignedIn: Bool { false }

  /// The name of whoever has signed in: none.
  public var username: String? { nil }

  /// The identity that was given out: none.
  public var identityId: String? { nil }

  /// A task that fails: nobody gives out identities.
  public func getIdentityId() -> AWSTask<NSString> {
    AWSTask(error: AWSMobileClientError.cognitoIdentityPoolNotConfigured(message: Self.noPool))
  }

  /// Hands out the key of the configuration file, before the call returns.
  ///
  /// - Parameter completionHandler: Called once with the key, or with why there is none.
  public func getAWSCredentials(
    _ completionHandler: @escaping (AWSCredentials?, (any Error)?) -> Void
  ) {
    let task = credentials()
    completionHandler(task.result, task.error)
  }

  /// Hears of every change of who uses the app, until the object goes or is removed.
  public func addUserStateListener(
    _ object: AnyObject,
    _ callback: @escaping (UserState, [String: String]) -> Void
  ) {
    let listener = Listener(owner: object, tell: callback)
    // Safety: a listener is called on the thread that calls `initialize`, as documented.
    nonisolated(unsafe) let added = listener
    state.withLock { $0.listeners.append(added) }
  }

  /// No longer tells an object.
  public func removeUserStateListener(_ object: AnyObject) {
    nonisolated(unsafe) let object = object
    state.withLock { state in state.listeners.removeAll { $0.owner === object } }
  }

  /// Signs nobody in: there is no directory of users.
  ///
  /// - Parameters:
  ///   - username: Who.
  ///   - password: Not kept.
  ///   - completionHandler: Called once with `.userPoolNotConfigured`, before the call returns.
  public func signIn(
    username: String,
    password: String,
    completionHandler: @escaping (UserState?, (any Error)?) -> Void
  ) {
    completionHandler(nil, AWSMobileClientError.userPoolNotConfigured(message: Self.noDirectory))
  }

  /// Signs nobody up: there is no directory of users.
  ///
  /// - Parameters:
  ///   - username: Who.
  ///   - password: Not kept.
  ///   - userAttributes: Not kept.
  ///   - completionHandler: Called once with `.userPoolNotConfigured`, before the call returns.
  public func signUp(
    username: String,
    password: String,
    userAttributes: [String: String] = [:],
    completionHandler: @escaping (UserState?, (any Error)?) -> Void
  ) {
    completionHandler(nil, AWSMobileClientError.userPoolNotConfigured(message: Self.noDirectory))
  }

  /// Does nothing: nobody has signed in.
  public func signOut() {}

  /// A task that has ended with the key of the configuration file, or with why there is none.
  public func credentials() -> AWSTask<AWSCredentials> {
    guard let provider = ServicePlace.provider(.default()) else {
      let reason = "The configuration file has no Footfall.AccessKey and Footfall.SecretKey."
      return AWSTask(error: AWSServiceError.noCredentials(reason))
    }
    return provider.credentials()
  }

  /// Does nothing: the key does not change.
  public func invalidateCachedTemporaryCredentials() {}

  private static let noPool = "Nobody gives out identities here; requests are signed with a key."
  private static let noDirectory =
    "There is no directory of users here; say who it is by the endpoint."
}
