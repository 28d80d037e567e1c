/// What finally became of one event at the client's own server.
public struct EventResult: Sendable, Hashable {
  /// How it ended.
  public enum Outcome: Sendable, Hashable {
    /// The server has it; the status of its answer.
    case delivered(status: Int)
    /// It was not delivered and never will be: why, the status if a server said so, and its words.
    case dropped(DropReason, status: Int?, message: String)
  }

  /// The event's id.
  public var id: String
  /// The event's name.
  public var name: EventName
  /// How it ended.
  public var outcome: Outcome

  /// A result from its parts.
  package init(id: String, name: EventName, outcome: Outcome) {
    self.id = id
    self.name = name
    self.outcome = outcome
  }
}
