import Catalog
import Dashboard
import EndpointStore
import EventStore
import FootfallJournal
import FootfallSystem
import HTTPServing
import Ingest
import IngestLog
import Loader

/// The running parts, as the routes need them.
struct Parts: Sendable {
  let catalog: Catalog
  let state: StateStore
  let log: IngestLog
  let endpoints: EndpointStore
  let loader: Loader
  let store: any EventStore
  let feed: LiveFeed
  let assets: AssetFolder
  /// Why the store could not be opened, if so.
  let storeProblem: String?

  /// All routes of a server.
  func router(_ settings: ServerSettings) -> Router {
    var router = Router()
    let ingest = IngestRoutes(
      catalog: catalog,
      log: log,
      state: state,
      endpoints: endpoints,
      settings: settings.effectiveIngest
    )
    ingest.install(in: &router)
    ConfigurationRoutes(catalog: catalog).install(in: &router)
    DashboardRoutes(
      catalog: catalog,
      store: store,
      feed: feed,
      assets: assets,
      settings: DashboardSettings(
        publicURL: settings.publicURL,
        version: Versions.program,
        signInCommand: "footfall sign-in"
      )
    ).install(in: &router)
    // The metrics show the routes' own counts, which are there only once all routes are.
    let counted = Lock<Router?>(nil)
    OperatorRoutes(
      checks: { checks() },
      metrics: { metrics(ingest: ingest.metrics, router: counted.withLock { $0 }) }
    ).install(in: &router)
    let complete = router
    counted.withLock { $0 = complete }
    return router
  }

  private func checks() -> [OperatorRoutes.Check] {
    [
      OperatorRoutes.Check(
        name: "log",
        problem: log.isRefusing ? "it takes nothing at the moment" : log.status.problem,
        isVital: log.isRefusing
      ),
      OperatorRoutes.Check(
        name: "store",
        // The loader asks the store from the start on, and again until it answers.
        problem: loader.status.problem,
        isVital: false
      ),
    ]
  }

  private func metrics(ingest: IngestMetrics, router: Router?) -> [MetricFamily] {
    let program = MetricFamily(
      "footfall_info",
      "The program's version.",
      .gauge,
      [MetricSample(labels: [("version", Versions.program)], 1)]
    )
    return [program] + ingest.families + MetricFamily.ingestLog(log.status)
      + MetricFamily.loader(loader.status) + (router.map { [MetricFamily.requests(of: $0)] } ?? [])
  }

  /// What an operator should be told at the start.
  func warnings() -> [String] {
    var warnings: [String] = []
    let damaged = log.recovery.gaps.reduce(0) { $0 + $1.bytes }
    if damaged > 0 {
      warnings.append("The ingest log holds \(damaged) damaged bytes, which were passed over.")
    }
    if let storeProblem {
      warnings.append(
        "Events are taken and kept in the log, but no page can show them: \(storeProblem)"
      )
    }
    if let problem = catalog.awsKeyProblem { warnings.append(problem) }
    if !assets.missing.isEmpty {
      warnings.append(
        "Pages work without scripts, because \(assets.missing.joined(separator: " and ")) "
          + "\(assets.missing.count == 1 ? "is" : "are") missing; run script/bootstrap."
      )
    }
    return warnings
  }
}

extension MetricFamily {
  /// The loader's numbers.
  static func loader(_ status: LoaderStatus) -> [MetricFamily] {
    func family(
      _ name: String,
      _ help: String,
      _ kind: Kind,
      _ value: some BinaryInteger
    )
      -> MetricFamily
    {
      MetricFamily("footfall_loader_" + name, help, kind, [MetricSample(Double(value))])
    }
    return [
      family("stored_events_total", "Events moved to the store.", .counter, status.stored),
      family(
        "duplicate_events_total",
        "Events the store had already.",
        .counter,
        status.duplicates
      ),
      family(
        "erased_events_total",
        "Events left out because they were erased before they came.",
        .counter,
        status.erased
      ),
      family(
        "poison_records_total",
        "Records set aside because they cannot be loaded.",
        .counter,
        status.poisonRecords
      ),
      family("gap_bytes_total", "Damaged bytes of the log.", .counter, status.gapBytes),
      family(
        "lag_bytes",
        "Bytes of the log that are not in the store yet.",
        .gauge,
        status.lagBytes
      ),
    ]
  }
}
