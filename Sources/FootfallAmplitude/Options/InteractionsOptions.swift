/// Which kinds of frustration are looked for; kept, but not captured yet.
public struct InteractionsOptions: Sendable, Hashable {
  /// Clicks in anger.
  public var rageClick: RageClickOptions
  /// Clicks without effect.
  public var deadClick: DeadClickOptions

  /// A choice of both; both are on unless told otherwise.
  public init(
    rageClick: RageClickOptions = RageClickOptions(),
    deadClick: DeadClickOptions = DeadClickOptions()
  ) {
    self.rageClick = rageClick
    self.deadClick = deadClick
  }
}

/// Whether clicks in anger are looked for: four or more on one element within a second.
public struct RageClickOptions: Sendable, Hashable {
  /// Whether they are.
  public var enabled: Bool

  /// A choice; on unless told otherwise.
  public init(enabled: Bool = true) {
    self.enabled = enabled
  }
}

/// Whether clicks without effect are looked for: nothing changes within three seconds.
public struct DeadClickOptions: Sendable, Hashable {
  /// Whether they are.
  public var enabled: Bool

  /// A choice; on unless told otherwise.
  public init(enabled: Bool = true) {
    self.enabled = enabled
  }
}
