import FootfallCore

/// Something a person does in the app, at a moment.
struct PlannedAction: Sendable, Hashable {
  /// What the app tells the SDK.
  enum Kind: Sendable, Hashable {
    /// An event happened.
    case track(EventName, Properties)
    /// A screen was shown.
    case screen(String)
    /// Money came in, or with a negative price went back.
    case revenue(Revenue)
    /// Something about the person changed.
    case identify(IdentifyOperations)
    /// The person is now in this team.
    case join(team: String)
    /// Something about a team changed.
    case identifyTeam(String, IdentifyOperations)
    /// Somebody signed in under this name.
    case signIn(String)
    /// The person signed out.
    case signOut
  }

  /// When, in milliseconds since 1970.
  let atMs: Int64
  /// The event's id, the same every time the plan is made; sign-ins use none.
  let id: String
  let kind: Kind
  /// The visit it is part of: when that began, in milliseconds since 1970.
  let visitMs: Int64
}

/// What a person does in one go on one device.
struct Visit: Sendable {
  /// The device's place in `Person.devices`.
  let device: Int
  let actions: [PlannedAction]
}
