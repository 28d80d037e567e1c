import FootfallCore
import Foundation

/// What the harness costs without Footfall: builds the event, reads the clock, keeps nothing.
///
/// The reference of every measurement at the call site.
final class NullClient: @unchecked Sendable {
  // Safety: each benchmark thread has a client of its own.
  private var last: StampedEvent?
  private var milliseconds: Int64 = 0

  @inline(never)
  func track(_ name: EventName, _ properties: Properties) {
    milliseconds = Int64(Date().timeIntervalSince1970 * 1_000)
    last = StampedEvent(
      name: name,
      properties: properties,
      id: EventID(milliseconds: UInt64(milliseconds), counter: 0, random: 0),
      milliseconds: milliseconds,
      moment: Moment(
        wallMilliseconds: milliseconds,
        steadyMilliseconds: milliseconds,
        awakeMilliseconds: milliseconds
      )
    )
  }
}
