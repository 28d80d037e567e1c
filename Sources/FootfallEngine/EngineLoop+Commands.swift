import FootfallCore
import FootfallOutbox
import FootfallPlatform

extension EngineLoop {
  func perform(_ command: Inbox.Command) {
    guard !isFinished else { return command.abandon() }
    switch command {
    case .flush(let done):
      pipeline.flush()
      flush(.ordinary) { [weak self] report in
        guard let self else { return done(report) }
        answer { done(report) }
      }
    case .answered(let number, let attempt, let response):
      destinations[number].answered(attempt, response)
    case .configured(let question, let response): remote?.answered(question, response)
    case .refreshConfiguration: remote?.receive(.refresh)
    case .selfReported(let number, let response): selfReporter?.answered(number, response)
    case .adopt(let codec):
      main.adopt(codec(environment))
      shareContext()
    case .disable(let done):
      feed(.setEnabled(false))
      answer(done)
    case .enable: feed(.setEnabled(true))
    case .flushAndDisable(let limitSeconds, let done):
      disabling.append(done)
      feed(.flushAndDisable(limitSeconds: limitSeconds))
    case .warn(let message): environment.log.warning(message)
    case .settle(let done): settling.append(done)
    case .left(let done):
      // With no session open, there is none whose end is to be sent.
      if pipeline.sessionID == nil { done() } else { waitingForEnd.append(done) }
    case .returned: giveTimeBack()
    case .connectivity(let isOnline):
      for destination in destinations where destination.needsNetwork {
        destination.feed(.connectivity(isOnline: isOnline))
      }
    case .offline(let isOffline):
      heard.offline += 1
      for destination in destinations { destination.feed(.offline(isOffline)) }
    case .write(let done):
      for destination in destinations { destination.writeDeferred() }
      done()
    case .kept(let limit, let tell): tell(main.kept(atMost: limit))
    case .dropKept(let done):
      main.dropKept()
      done()
    case .reset(let limitSeconds, let done): reset(limitSeconds: limitSeconds, done)
    case .end(let request): end(request)
    case .saveMemory: saveMemory()
    case .shutDown(let limitSeconds):
      shutdownDeadline = now + limitSeconds
      // What is in the journal is safe; without time to send, nothing need be sealed.
      guard limitSeconds > 0 else { return finish() }
      flush(.urgent) { [weak self] _ in self.map { $0.shutdownDeadline = $0.now } }
    }
  }

  /// The app is back, or the client ends: nothing waits for the session's end any more.
  private func giveTimeBack() {
    let waiting = waitingForEnd
    waitingForEnd = []
    for done in waiting { done() }
  }

  /// A flush is over when every destination's is.
  func flush(
    _ kind: UploadCore.FlushKind,
    _ done: @escaping (DeliveryReport) -> Void
  ) {
    guard isCollecting else {
      return done(DeliveryReport(problem: DeliveryProblem(.disabled, "Collection is off.")))
    }
    let flushed = destinations.filter { $0 === main || $0.settings.joinsFlush }
    let round = FlushRound(of: flushed.count, done)
    for (number, destination) in flushed.enumerated() {
      destination.flush(kind) { round.receive($0, from: number) }
    }
  }

  func finish() {
    guard !isFinished else { return }
    // A last send that is not over by now leaves nothing behind.
    if consent.deadline != nil, !consent.isCollecting { feed(.setEnabled(false)) }
    finishDisabling()
    finishResets(dueBy: .infinity)
    remote?.receive(.terminate)
    selfReporter?.receive(.terminate)
    isFinished = true
    shutdownDeadline = nil
    giveTimeBack()
    stopWatching()
    for tell in endings { tell() }
    endings = []
    for destination in destinations {
      destination.stop(DeliveryProblem(.shutDown, "The client was shut down."))
    }
    pipeline.releaseSequence()
    saveState()
    for destination in destinations { destination.close() }
    environment.transport.shutdown()
  }
}

/// A flush of all destinations that is under way.
final class FlushRound {
  private var reports: [DeliveryReport?]
  private let done: (DeliveryReport) -> Void

  /// A round of so many destinations, one at least.
  init(of number: Int, _ done: @escaping (DeliveryReport) -> Void) {
    reports = Array(repeating: nil, count: number)
    self.done = done
  }

  /// A destination's flush is over; with the last one, the round is.
  func receive(_ report: DeliveryReport, from number: Int) {
    reports[number] = report
    let received = reports.compactMap { $0 }
    if received.count == reports.count { done(DeliveryReport(received)) }
  }
}

extension DeliveryReport {
  /// The sum of several reports, with the first problem there is.
  fileprivate init(_ reports: [DeliveryReport]) {
    self.init()
    for report in reports {
      delivered += report.delivered
      kept += report.kept
      rejected.merge(report.rejected, uniquingKeysWith: +)
      problem = problem ?? report.problem
    }
  }
}
