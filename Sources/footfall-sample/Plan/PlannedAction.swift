import FootfallCore

/// Something a person does in the app, at a moment.
struct PlannedAction: Sendable, Hashable {
  /// What the app tells the SDK.
  enum Kind: Sendable, Hashable {
    /// An event happened.
    case track(EventName, Properties)
    /// Something about the person changed.
    case identify(IdentifyOperations)
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
}

/// What a person does in one go on one device.
struct Visit: Sendable {
  /// The device's place in `Person.devices`.
  let device: Int
  let actions: [PlannedAction]
}
