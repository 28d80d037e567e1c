public import HTTPServing
public import IngestLog

extension MetricFamily {
  /// Answered requests by route and status.
  public static func requests(of router: Router) -> MetricFamily {
    MetricFamily(
      "footfall_http_requests_total",
      "Requests by route and status; status 0 left early.",
      .counter,
      router.requestCounts.map { count in
        MetricSample(
          labels: [
            ("method", count.method?.rawValue ?? ""), ("route", count.pattern ?? ""),
            ("status", String(count.status)),
          ],
          Double(count.count)
        )
      }
    )
  }

  /// The ingest log's numbers.
  public static func ingestLog(_ status: IngestLogStatus) -> [MetricFamily] {
    func family(_ name: String, _ help: String, _ kind: Kind, _ value: Double) -> MetricFamily {
      MetricFamily("footfall_ingest_log_" + name, help, kind, [MetricSample(value)])
    }
    return [
      family("records_total", "Records made durable.", .counter, Double(status.records)),
      family("record_bytes_total", "Bytes of those.", .counter, Double(status.recordBytes)),
      family(
        "failed_records_total",
        "Records the disk refused.",
        .counter,
        Double(status.failedRecords)
      ),
      family(
        "refused_records_total",
        "Records turned away for want of room.",
        .counter,
        Double(status.refusedRecords)
      ),
      family("syncs_total", "Syncs.", .counter, Double(status.syncs)),
      family("failed_syncs_total", "Syncs the disk refused.", .counter, Double(status.failedSyncs)),
      family(
        "written_bytes_total",
        "Bytes written to files.",
        .counter,
        Double(status.writtenBytes)
      ),
      family("pending_bytes", "Bytes that wait for the disk.", .gauge, Double(status.pendingBytes)),
      family("bytes", "Bytes of all segments.", .gauge, Double(status.logBytes)),
      family(
        "unloaded_bytes",
        "Bytes the store does not have yet.",
        .gauge,
        Double(status.unloadedBytes)
      ),
      family("segments", "Segments.", .gauge, Double(status.segments)),
    ]
  }
}
