/// Which events a question is about, and whom it counts.
///
/// Every question has one: a project, a stretch of time, conditions, and whether test events are among
/// them (they are not unless asked for). Only `.event` counts, by corrected time. Who a person is, is
/// said at `PeopleMap`.
public struct Scope: Sendable, Hashable {
  /// Whom a question counts where it counts people.
  public enum Unit: String, Sendable, CaseIterable {
    /// A user with all devices, or a device on which no user was seen.
    case people
    /// A device id, whoever uses it.
    case devices
    /// A user id that stands in the event itself.
    case users
  }

  /// The project's number.
  public var project: UInt32
  /// From when on, in milliseconds since 1970.
  public var fromMs: Int64
  /// Up to when, this moment excluded.
  public var toMs: Int64
  /// What must hold of every event; all of them.
  public var conditions: [Condition]
  /// Whom the question counts.
  public var unit: Unit
  /// Whether test events count.
  public var includesTest: Bool
  /// Only events of people who belong to it now; nil for everyone's.
  public var segment: SegmentFilter?

  /// A scope from its parts.
  public init(
    project: UInt32,
    fromMs: Int64,
    toMs: Int64,
    conditions: [Condition] = [],
    unit: Unit = .people,
    includesTest: Bool = false,
    segment: SegmentFilter? = nil
  ) {
    self.project = project
    self.fromMs = fromMs
    self.toMs = toMs
    self.conditions = conditions
    self.unit = unit
    self.includesTest = includesTest
    self.segment = segment
  }

  /// The same with one more condition; nil adds none.
  public func with(_ condition: Condition?) -> Scope {
    guard let condition else { return self }
    var scope = self
    scope.conditions.append(condition)
    return scope
  }

  /// The same over another stretch of time.
  public func over(fromMs: Int64, toMs: Int64) -> Scope {
    var scope = self
    scope.fromMs = fromMs
    scope.toMs = toMs
    return scope
  }

  /// Conditions on what was done, not on by whom and with which app or device: those on names and
  /// properties of events.
  var deeds: [Condition] { conditions.filter(\.field.isOfDeed) }

  /// The same whatever was done: what a share of people or sessions is a share of.
  var whateverDone: Scope {
    var scope = self
    scope.conditions.removeAll { $0.field.isOfDeed }
    return scope
  }

  /// Whether a session is what happened on one device; otherwise it is what one person did.
  var hasSessionsOfDevices: Bool { unit == .devices }

  /// The same with nothing asked of events.
  var unconditional: Scope {
    var scope = self
    scope.conditions = []
    return scope
  }
}
