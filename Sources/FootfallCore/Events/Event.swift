public import Foundation

/// An event on its way to the destinations, with everything that is known about it: what plugins
/// see and may change.
///
/// A value: what a plugin changes counts for the plugins after it and for every destination.
public struct Event: Sendable {
  /// What happened.
  public var name: EventName
  /// What else there is to say.
  public var properties: Properties
  /// Its number among the events of this client; later events have larger ones.
  public package(set) var sequence: Int64
  /// The device it belongs to; nil only if the app said that there is none.
  public var deviceID: String?
  /// The user it belongs to, if one is signed in.
  public var userID: String?
  /// The session it belongs to, if any.
  public var sessionID: SessionID?
  /// The groups it belongs to: names by group type.
  public var groups: [String: [String]]
  /// Changes to the person's properties, for an `$identify`.
  public var userOperations: IdentifyOperations?
  /// Changes to a group's properties, for a `$groupidentify`.
  public var groupOperations: IdentifyOperations?
  /// What is known about app and device.
  ///
  /// Empty for plugins of the stage `before`, except for what the caller gave.
  public var context: EventContext
  /// Whether it is marked as a test: shown live, hidden from charts.
  public var isTest: Bool

  /// The id made at the call, or the caller's own.
  package var identifier: EventIdentifier
  /// When it happened, in milliseconds since 1970 by the device's clock.
  package var milliseconds: Int64
  /// Whether the caller dated it back.
  package var isBackDated: Bool
  /// When its session began and ended, as far as this client knows.
  package var sessionTimes: SessionTimes?
  /// Told once what became of the event.
  package var onResult: (@Sendable (EventResult) -> Void)?

  /// An event from its parts.
  package init(
    _ name: EventName,
    _ properties: Properties = [:],
    identifier: EventIdentifier,
    milliseconds: Int64,
    isBackDated: Bool = false,
    sequence: Int64 = 0,
    deviceID: String? = nil,
    userID: String? = nil,
    sessionID: SessionID? = nil,
    groups: [String: [String]] = [:],
    userOperations: IdentifyOperations? = nil,
    groupOperations: IdentifyOperations? = nil,
    context: EventContext = EventContext(),
    isTest: Bool = false,
    onResult: (@Sendable (EventResult) -> Void)? = nil
  ) {
    self.name = name
    self.properties = properties
    self.identifier = identifier
    self.milliseconds = milliseconds
    self.isBackDated = isBackDated
    self.sequence = sequence
    self.deviceID = deviceID
    self.userID = userID
    self.sessionID = sessionID
    self.groups = groups
    self.userOperations = userOperations
    self.groupOperations = groupOperations
    self.context = context
    self.isTest = isTest
    self.onResult = onResult
  }

  /// The id under which the server counts it once.
  public var id: String {
    switch identifier {
    case .made(let id): id.description
    case .own(let id): id
    }
  }

  /// When it happened, by the device's clock.
  public var time: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}

/// What tells an event from every other.
package enum EventIdentifier: Sendable, Equatable {
  /// Made by this library.
  case made(EventID)
  /// The caller's own.
  case own(String)
}
