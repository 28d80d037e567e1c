/// What an answer means for one event of the request.
package enum EventVerdict: Sendable, Equatable {
  /// The server has it.
  case delivered(status: Int)
  /// The server will never take it: dropped, with the server's name for why and its words.
  case refused(status: Int, reason: String, message: String)
  /// It is sent again; if this counts as a try, only so often.
  case again(countsAsTry: Bool, status: Int? = nil, message: String = "")
}

/// What finally became of one event of a batch.
package struct EventSettlement: Sendable, Equatable {
  /// The event's place in its batch.
  package var event: Int
  /// How it ended.
  package var outcome: EventResult.Outcome
  /// The server's own name for why it refused the event; nil if it gave none.
  package var serverReason: String?

  /// A settlement from its parts.
  package init(event: Int, outcome: EventResult.Outcome, serverReason: String? = nil) {
    self.event = event
    self.outcome = outcome
    self.serverReason = serverReason
  }
}
