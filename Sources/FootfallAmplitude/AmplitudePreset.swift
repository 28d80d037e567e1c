package import FootfallCore
package import FootfallOutbox

extension OutboxLimits {
  /// Files of what one request may hold, whatever number of events the queue sends at.
  ///
  /// 975,000 bytes of events leave room for the rest of a body of 1 MB; 2,000 events is the most of a
  /// request. Source: `amplitude.md` section 1.5, scenarios D30 and D44; the bytes are ours.
  package static let amplitude = OutboxLimits(batchEvents: 2_000, batchBytes: 975_000)
}

extension ConsentCore.Rule {
  /// Opting out stops new events; stored ones are still sent.
  ///
  /// Source: `amplitude.md`, P10.
  package static let amplitude = ConsentCore.Rule.sendsStored
}
