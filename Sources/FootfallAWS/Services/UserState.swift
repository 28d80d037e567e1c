/// Who uses the app, as far as a client of identities knows.
public enum UserState: String, Sendable, CaseIterable {
  /// Someone who has signed in.
  case signedIn
  /// Nobody.
  case signedOut
  /// Someone whose sign-in at another provider has run out.
  case signedOutFederatedTokensInvalid
  /// Someone whose sign-in has run out.
  case signedOutUserPoolsTokenInvalid
  /// Someone who need not sign in.
  case guest
  /// It is not known yet.
  case unknown
}

/// Why a call about identities could not do what it says.
public enum AWSMobileClientError: Error, Sendable, Hashable {
  /// There is no directory of users to sign in to.
  case userPoolNotConfigured(message: String)
  /// There is nobody who gives out identities.
  case cognitoIdentityPoolNotConfigured(message: String)
  /// There are no credentials.
  case guestAccessNotAllowed(message: String)
}
