/// A change to the user's properties: `userProperties` holds operations by name.
public final class IdentifyEvent: BaseEvent {
  /// A change of nothing yet.
  public convenience init() {
    self.init(eventType: Constants.IDENTIFY_EVENT)
  }

  /// Always `$identify`; setting it changes nothing.
  public override var eventType: String {
    get { Constants.IDENTIFY_EVENT }
    set {}
  }
}

/// A change to a group's properties: `groups` names it, `groupProperties` holds operations by name.
public final class GroupIdentifyEvent: BaseEvent {
  /// A change of nothing yet.
  public convenience init() {
    self.init(eventType: Constants.GROUP_IDENTIFY_EVENT)
  }

  /// Always `$groupidentify`; setting it changes nothing.
  public override var eventType: String {
    get { Constants.GROUP_IDENTIFY_EVENT }
    set {}
  }

  /// Whether it says of which group what changes; it needs neither user nor device.
  public override func isValid() -> Bool { groups != nil && groupProperties != nil }
}

/// Money was earned: `eventProperties` holds what `Revenue` writes there.
public final class RevenueEvent: BaseEvent {
  /// Revenue of nothing yet.
  public convenience init() {
    self.init(eventType: Constants.AMP_REVENUE_EVENT)
  }

  /// Always `revenue_amount`; setting it changes nothing.
  public override var eventType: String {
    get { Constants.AMP_REVENUE_EVENT }
    set {}
  }
}

extension BaseEvent {
  /// An event of the class for its name.
  static func make(_ name: String) -> BaseEvent {
    switch name {
    case Constants.IDENTIFY_EVENT: IdentifyEvent()
    case Constants.GROUP_IDENTIFY_EVENT: GroupIdentifyEvent()
    case Constants.AMP_REVENUE_EVENT: RevenueEvent()
    default: BaseEvent(eventType: name)
    }
  }
}
