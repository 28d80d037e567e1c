internal import FootfallSystem
internal import Wire

/// Slows down the devices and users of Amplitude's clients that send too fast.
final class AmplitudeThrottle: Sendable {
  private let rates = Lock(SendingRates())
  private let updates = Lock(RequestRates(lengthMs: 3_600_000))

  /// The answer for a request of which some devices or users send too fast; nil for any other.
  ///
  /// Counts the request's events when it is not refused.
  func refusal(
    of acceptance: WireAcceptance,
    limits: SendingRates.Limits,
    nowMs: Int64
  ) -> WireAnswer? {
    guard limits.perSecond > 0 || limits.perDay > 0, let project = acceptance.project else {
      return nil
    }
    let senders = acceptance.senders.map { (ids: $0.ids(project: project), places: $0.places) }
    var counts: [SendingRates.ID: Int] = [:]
    for sender in senders {
      for id in sender.ids { counts[id, default: 0] += sender.places.count }
    }
    let excess = rates.withLock { [counts] in $0.admit(counts, limits: limits, nowMs: nowMs) }
    guard !excess.isEmpty else { return nil }
    var throttled = AmplitudeThrottled(limit: limits.perSecond)
    for (id, excess) in excess {
      throttled.add(id.text, isUser: id.isUser, perSecond: excess.perSecond, perDay: excess.perDay)
    }
    throttled.events = senders.filter { $0.ids.contains { excess[$0] != nil } }.flatMap(\.places)
    return throttled.answer
  }

  /// Whether somebody's properties are updated too often within an hour.
  ///
  /// Counts the request's updates when they are not.
  func hasTooManyUpdates(_ acceptance: WireAcceptance, limit: Int, nowMs: Int64) -> Bool {
    guard limit > 0, let project = acceptance.project else { return false }
    let people = acceptance.senders.flatMap { sender -> [String] in
      let id = String(decoding: sender.user.isEmpty ? sender.device : sender.user, as: UTF8.self)
      let kind = sender.user.isEmpty ? "device" : "user"
      return Array(repeating: "\(project) \(kind) \(id)", count: sender.places.count)
    }
    return updates.withLock { $0.admit(people, limit: limit, nowMs: nowMs) } != nil
  }
}

extension WireSender {
  /// The ids that its events count for.
  fileprivate func ids(project: UInt32) -> [SendingRates.ID] {
    [(false, device), (true, user)].filter { !$0.1.isEmpty }.map { isUser, id in
      SendingRates.ID(project: project, isUser: isUser, text: String(decoding: id, as: UTF8.self))
    }
  }
}
