/// Decides when a client tells its maker's server how its own work goes.
///
/// A report holds what was delivered and lost since the last one that was taken. Times are seconds on a
/// clock that only goes forward.
package struct SelfReportCore: Sendable {
  /// When reports are made.
  package struct Rules: Sendable, Hashable {
    /// How long numbers gather before they are told, in seconds.
    package var everySeconds: Double

    /// Rules from their parts.
    package init(everySeconds: Double) {
      self.everySeconds = everySeconds
    }
  }

  /// What the client did.
  package struct Numbers: Sendable, Hashable {
    /// Events that the server took.
    package var delivered = 0
    /// Losses by reason.
    package var dropped = DropCounts()

    /// Numbers from their parts.
    package init(delivered: Int = 0, dropped: DropCounts = DropCounts()) {
      self.delivered = delivered
      self.dropped = dropped
    }

    func since(_ earlier: Numbers) -> Numbers {
      var rest = dropped
      rest.subtract(earlier.dropped)
      return Numbers(delivered: delivered - earlier.delivered, dropped: rest)
    }
  }

  /// What happened.
  package enum Input: Sendable, Hashable {
    /// Whether reports are wanted, and of what part of all processes, from 0 to 1.
    case choice(isOn: Bool, rate: Double)
    /// What the client did since it began.
    case counted(Numbers)
    /// The report in flight was taken, or not.
    case answered(isTaken: Bool)
    /// Collection was switched on or off.
    case collecting(Bool)
    /// Time went by.
    case timePassed
    /// The client ends.
    case terminate
  }

  /// What is to be done.
  package enum Effect: Sendable, Hashable {
    /// Tell this.
    case send(Numbers, rate: Double)
    /// Cut off the report in flight.
    case cancel
  }

  private let rules: Rules
  /// Where this process stands among all, from 0 to 1: those below the rate report.
  private let draw: Double
  private var isWanted = false
  private var rate = 0.0
  private var isCollecting = true
  private var isOver = false
  private var total = Numbers()
  private var told = Numbers()
  private var inFlight: Numbers?

  /// When `timePassed` is due; nil while there is nothing to tell.
  package private(set) var deadline: Double?

  /// A core for a process that drew a number from 0 up to 1.
  package init(rules: Rules, draw: Double) {
    self.rules = rules
    self.draw = draw
  }

  /// Whether this process reports at all as things stand.
  package var isReporting: Bool { isWanted && isCollecting && !isOver && draw < rate }

  /// Takes in what happened at `now` and says what to do.
  package mutating func receive(_ input: Input, at now: Double) -> [Effect] {
    switch input {
    case .choice(let isOn, let newRate):
      (isWanted, rate) = (isOn, newRate)
      return settle(at: now)
    case .collecting(let isOn):
      isCollecting = isOn
      return settle(at: now)
    case .terminate:
      isOver = true
      return settle(at: now)
    case .counted(let numbers):
      total = numbers
      return settle(at: now)
    case .answered(let isTaken):
      if isTaken, let sent = inFlight { told = sent }
      inFlight = nil
      return settle(at: now)
    case .timePassed:
      guard let due = deadline, due <= now else { return [] }
      deadline = nil
      guard isReporting, inFlight == nil else { return [] }
      inFlight = total
      return [.send(total.since(told), rate: rate)]
    }
  }

  /// Waits while there is something to tell, and for nothing else.
  private mutating func settle(at now: Double) -> [Effect] {
    guard isReporting else {
      deadline = nil
      let wasSending = inFlight != nil
      inFlight = nil
      return wasSending ? [.cancel] : []
    }
    if inFlight == nil, total != told { deadline = deadline ?? now + rules.everySeconds }
    return []
  }
}
