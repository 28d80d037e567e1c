import FootfallCore

/// An upload core with its random source, fed with one-liners.
final class UploadSubject {
  var core: UploadCore
  var random: SeededRandom
  /// What was settled so far, by batch and event.
  var outcomes: [UInt64: [Int: EventResult.Outcome]] = [:]

  static let noNetwork = DeliveryProblem(.offline, "No network.")
  static let failure = UploadVerdict.failed(noNetwork, retryAfterSeconds: nil)

  init(_ rules: DeliveryRules = .native, seed: UInt64 = 9) {
    core = UploadCore(rules: rules)
    random = SeededRandom(seed: seed)
  }

  /// Feeds the core; what it settles is noted in `outcomes` and left out of what is returned.
  @discardableResult
  func take(_ input: UploadCore.Input, at now: Double = 0) -> [UploadCore.Effect] {
    core.receive(input, at: now, using: &random).filter { effect in
      guard case .settled(let number, let settlements) = effect else { return true }
      for settlement in settlements {
        outcomes[number, default: [:]][settlement.event] = settlement.outcome
      }
      return false
    }
  }

  @discardableResult
  func batch(_ number: UInt64, events: Int = 50, at now: Double = 0) -> [UploadCore.Effect] {
    take(.oldest(.init(number: number, events: events)), at: now)
  }

  /// The events of one batch that ended by this reason.
  func dropped(_ reason: DropReason, of number: UInt64 = 1) -> [Int] {
    (outcomes[number] ?? [:]).compactMap { event, outcome in
      guard case .dropped(reason, _, _) = outcome else { return nil }
      return event
    }.sorted()
  }

  /// The events of one batch the server took.
  func delivered(of number: UInt64 = 1) -> [Int] {
    (outcomes[number] ?? [:]).compactMap { event, outcome in
      guard case .delivered = outcome else { return nil }
      return event
    }.sorted()
  }
}

extension UploadVerdict {
  static let taken = UploadVerdict.delivered(status: 202)
  static let tooMuch = UploadVerdict.tooLarge(status: 413, message: "Too much.")
  static let bad = UploadVerdict.malformed(status: 400, message: "Not readable.")

  /// The server answered this status, and nothing else of use.
  static func status(_ status: Int, retryAfter seconds: Double? = nil) -> UploadVerdict {
    AnswerRules().verdict(status: status, retryAfterSeconds: seconds)
  }

  static let timedOut = UploadVerdict.failed(
    DeliveryProblem(.timedOut, "No answer in time."),
    retryAfterSeconds: nil
  )
}
