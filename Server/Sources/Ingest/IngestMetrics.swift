internal import FootfallSystem
internal import Synchronization
internal import Wire

/// What ingest took and what it turned away, since the start.
public final class IngestMetrics: Sendable {
  private struct Reasons {
    var rejected: [String: UInt64] = [:]
    var refused: [String: UInt64] = [:]
    var clientDropped: [String: UInt64] = [:]
  }

  private let accepted = Atomic<UInt64>(0)
  private let duplicates = Atomic<UInt64>(0)
  private let receivedBytes = Atomic<UInt64>(0)
  private let inflatedBytes = Atomic<UInt64>(0)
  private let reasons = Lock(Reasons())

  /// Nothing counted yet.
  public init() {}

  /// Events that were answered for: durable in the log.
  public var acceptedEvents: UInt64 { accepted.load(ordering: .relaxed) }

  func received(bytes: Int) { receivedBytes.add(UInt64(bytes), ordering: .relaxed) }

  func inflated(bytes: Int) { inflatedBytes.add(UInt64(bytes), ordering: .relaxed) }

  func accepted(events: Int) { accepted.add(UInt64(events), ordering: .relaxed) }

  /// Counts what a readable request did not get logged.
  func left(
    duplicates: Int,
    rejections: [RejectionReason: Int],
    clientDropped: [String: Int]
  ) {
    if duplicates > 0 { self.duplicates.add(UInt64(duplicates), ordering: .relaxed) }
    guard !rejections.isEmpty || !clientDropped.isEmpty else { return }
    reasons.withLock { reasons in
      for (reason, count) in rejections {
        reasons.rejected[reason.rawValue, default: 0] += UInt64(count)
      }
      for (reason, count) in clientDropped {
        // Wrapping, since a client may claim any number, and often.
        reasons.clientDropped[bounded(reason, in: reasons.clientDropped), default: 0] &+= UInt64(
          max(0, count)
        )
      }
    }
  }

  /// Counts a request that was refused as a whole.
  func refused(_ reason: String) {
    reasons.withLock { $0.refused[reason, default: 0] += 1 }
  }

  /// A label made by clients: what they invent must not grow our memory without end.
  private func bounded(_ reason: String, in known: [String: UInt64]) -> String {
    known[reason] != nil || known.count < 64 && reason.utf8.count <= 64 ? reason : "other"
  }
}

extension IngestMetrics {
  /// The counts as families for `/metrics`.
  public var families: [MetricFamily] {
    let reasons = reasons.withLock { $0 }
    func samples(_ counts: [String: UInt64]) -> [MetricSample] {
      counts.sorted { $0.key < $1.key }.map {
        MetricSample(labels: [("reason", $0.key)], Double($0.value))
      }
    }
    return [
      MetricFamily(
        "footfall_events_accepted_total",
        "Events that are durable in the ingest log.",
        .counter,
        [MetricSample(Double(acceptedEvents))]
      ),
      MetricFamily(
        "footfall_events_duplicate_in_request_total",
        "Events that repeated one of their request.",
        .counter,
        [MetricSample(Double(duplicates.load(ordering: .relaxed)))]
      ),
      MetricFamily(
        "footfall_events_rejected_total",
        "Single events refused, by reason.",
        .counter,
        samples(reasons.rejected)
      ),
      MetricFamily(
        "footfall_events_client_dropped_total",
        "Events that clients say they dropped before sending, by their reason.",
        .counter,
        samples(reasons.clientDropped)
      ),
      MetricFamily(
        "footfall_ingest_refused_total",
        "Ingest requests refused as a whole, by reason.",
        .counter,
        samples(reasons.refused)
      ),
      MetricFamily(
        "footfall_ingest_received_bytes_total",
        "Bytes of bodies received.",
        .counter,
        [MetricSample(Double(receivedBytes.load(ordering: .relaxed)))]
      ),
      MetricFamily(
        "footfall_ingest_inflated_bytes_total",
        "Bytes of bodies after inflating.",
        .counter,
        [MetricSample(Double(inflatedBytes.load(ordering: .relaxed)))]
      ),
    ]
  }
}
