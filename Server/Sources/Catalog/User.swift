/// Someone who may sign in to the dashboard.
public struct User: Sendable, Hashable, Identifiable {
  /// Their number, from 1.
  public let id: Int64
  /// The name they sign in with.
  public let name: String
  /// Whether a password was set; until then they sign in by link.
  public let hasPassword: Bool
  /// When they were added, in milliseconds since 1970.
  public let createdAtMs: Int64
  /// What they may do.
  public let role: Role
}

/// A session that just began.
public struct NewSession: Sendable, Hashable {
  /// Who signed in.
  public let user: User
  /// The secret for the browser's cookie; the catalogue keeps only its hash.
  public let token: String
  /// When it ends, in milliseconds since 1970.
  public let expiresAtMs: Int64
}

/// What the first start made: everything needed to send the first event and to look at it.
public struct FirstStart: Sendable {
  /// The owner, who signs in by link and can set a password afterwards.
  public let owner: User
  /// The first project.
  public let project: Project
  /// Its key for apps.
  public let ingestKey: CreatedKey
  /// The secret of a sign-in address, good once and for a day: `/sign-in/<token>`.
  public let signInToken: String
}
