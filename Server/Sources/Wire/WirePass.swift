import EventRecord

/// One walk over a body that writes its record: what every protocol's has.
///
/// It takes its memory from a scratch as it begins, and gives it back as it ends.
protocol WirePass: ~Copyable {
  /// The project the events go to, once that is known.
  var project: UInt32 { get }
  var context: WireContext { get }
  var clock: ClockCorrection { get }
  /// Makes keys of events without identity, and keeps the memory between two walks.
  var scratch: WireScratch { get }
}

extension WirePass where Self: ~Copyable {
  /// What the record says of the request as a whole.
  func header(_ source: RecordHeader.Source) -> RecordHeader {
    RecordHeader(source, project: project, context: context, clock: clock)
  }

  /// The key of an event without identity.
  func randomKey() -> EventKey { scratch.randomKey(project: project) }

  /// Whether an event's own time, put right, lies more than a day ahead: nobody's clock is believed so far.
  func isAhead(_ timestampMs: Int64) -> Bool {
    timestampMs + clock.correctionMs > context.receivedAtMs + NativeLimits.futureMs
  }
}

extension RecordHeader {
  /// The header of a request.
  init(_ source: Source, project: UInt32, context: WireContext, clock: ClockCorrection) {
    self.init(
      source: source,
      project: project,
      receivedAtMs: context.receivedAtMs,
      sentAtMs: clock.sentAtMs,
      clockCorrectionMs: clock.correctionMs
    )
  }
}
