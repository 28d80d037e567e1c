internal import EventRecord
internal import FootfallSystem
internal import Wire

/// Slows down the devices and users of Amplitude's clients that send too fast.
final class AmplitudeThrottle: Sendable {
  private let rates = Lock(SendingRates())

  /// The answer for a request of which some devices or users send too fast; nil for any other.
  ///
  /// Counts the request's events when it is not refused.
  func refusal(
    of acceptance: WireAcceptance,
    limits: SendingRates.Limits,
    nowMs: Int64
  ) -> WireAnswer? {
    guard limits != SendingRates.Limits(perSecond: 0, perDay: 0) else { return nil }
    var counts: [SendingRates.ID: Int] = [:]
    Self.forEachEvent(of: acceptance) { _, ids in
      for id in ids { counts[id, default: 0] += 1 }
    }
    let excess = rates.withLock { [counts] in $0.admit(counts, limits: limits, nowMs: nowMs) }
    guard !excess.isEmpty else { return nil }
    var throttled = AmplitudeThrottled(limit: limits.perSecond)
    for (id, excess) in excess {
      throttled.add(id.text, isUser: id.isUser, perSecond: excess.perSecond, perDay: excess.perDay)
    }
    Self.forEachEvent(of: acceptance) { index, ids in
      if ids.contains(where: { excess[$0] != nil }) { throttled.events.append(index) }
    }
    return throttled.answer
  }

  /// Hands out each event's place in the request and its ids.
  private static func forEachEvent(
    of acceptance: WireAcceptance,
    _ body: (Int, [SendingRates.ID]) -> Void
  ) {
    var repeats = acceptance.repeats[...]
    var index = 0
    acceptance.record.withUnsafeBytes { bytes in
      do throws(RecordError) {
        var reader = try RecordReader(bytes)
        let project = reader.header.project
        while let event = try reader.next() {
          while repeats.first == index {
            repeats.removeFirst()
            index += 1
          }
          let device = String(decoding: event.deviceID, as: UTF8.self)
          let user = String(decoding: event.userID, as: UTF8.self)
          body(
            index,
            [(false, device), (true, user)].filter { !$0.1.isEmpty }
              .map { SendingRates.ID(project: project, isUser: $0.0, text: $0.1) }
          )
          index += 1
        }
      } catch {
        // The record was written a moment ago by the decoder, so it can be read.
        return
      }
    }
  }
}
