import AdminAPI
import Catalog
import Dashboard
import EndpointStore
import EventStore
import FootfallJournal
import FootfallSystem
import HTTPServing
import Ingest
import IngestLog
import Insights
import Loader
import Places
import Synchronization
import Webhooks
import Wire

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
  let usage: UsageMeter
  let housekeeper: Housekeeper
  let erasing: Erasing
  /// Tells where addresses are; nil where nobody shall know.
  let places: PlaceTable?
  /// How many connections there are.
  let connections: ConnectionNumbers
  /// Why the store could not be opened, if so.
  let storeProblem: String?
  /// Tells other programs what alerts found.
  let webhooks: WebhookSender
  /// What clients are told without the places of files, in full.
  let faults: FaultLog

  /// Takes endpoints of a file into an application.
  private var endpointTaking: APIRoutes.EndpointTaking {
    let taking = EndpointImport(endpoints: endpoints, log: log, nowMs: WallClock.milliseconds)
    return { lines, app in
      let named = lines.filter { !$0.deviceID.isEmpty }
      let nameless = lines.filter(\.deviceID.isEmpty)
        .map { ListFile.Failure(line: $0.number, reason: "It names no endpoint.") }
      let refused = try taking.take(
        named.map { .init(number: $0.number, id: $0.deviceID, json: $0.endpointJSON) },
        app: app
      )
      return nameless + refused.map { ListFile.Failure(line: $0.line, reason: $0.reason) }
    }
  }

  /// All routes of a server.
  func router(_ settings: ServerSettings) -> Router {
    var router = Router()
    let ingest = IngestRoutes(
      catalog: catalog,
      log: log,
      state: state,
      place: places.map(Self.lookup),
      endpoints: endpoints,
      settings: settings.effectiveIngest,
      usage: usage,
      erased: { [erasing] in StreamErased(try erasing.erased()) }
    )
    ingest.install(in: &router)
    ConfigurationRoutes(catalog: catalog).install(in: &router)
    DashboardRoutes(
      catalog: catalog,
      store: store,
      feed: feed,
      assets: assets,
      settings: dashboardSettings(settings),
      operations: operations(settings)
    ).install(in: &router)
    APIRoutes(
      catalog: catalog,
      store: store,
      files: APIFiles(
        exports: settings.data.exports,
        uploads: UploadFolder(settings.data.uploads),
        backups: settings.data.backups
      ),
      version: Versions.program,
      inflate: { Gunzip.inflate($0, maxBytes: $1) },
      endpoints: endpointTaking,
      webhookRefusal: webhooks.refusal,
      faults: faults,
      nowMs: WallClock.milliseconds
    ).install(in: &router)
    PhaseReadAPI(catalog: catalog, store: store, nowMs: WallClock.milliseconds)
      .install(in: &router)
    AmplitudeExportRoute(
      catalog: catalog,
      store: store,
      folder: settings.data.exports,
      faults: faults
    ).install(in: &router)
    // The metrics show the routes' own counts, which are there only once all routes are.
    let counted = Lock<Router?>(nil)
    OperatorRoutes(
      operators: settings.operators,
      checks: { checks(settings) },
      metrics: { metrics(settings, ingest: ingest.metrics, router: counted.withLock { $0 }) }
    ).install(in: &router)
    let complete = router
    counted.withLock { $0 = complete }
    return router
  }

  private func dashboardSettings(_ settings: ServerSettings) -> DashboardSettings {
    var dashboard = DashboardSettings(
      publicURL: settings.publicURL,
      version: Versions.program,
      signInCommand: "footfall sign-in --data DIR",
      exports: settings.data.exports,
      uploads: UploadFolder(settings.data.uploads),
      inflate: { Gunzip.inflate($0, maxBytes: $1) }
    )
    dashboard.faults = faults
    dashboard.webhookRefusal = webhooks.refusal
    return dashboard
  }

  /// Finds places as events have them.
  private static func lookup(
    in places: PlaceTable
  ) -> @Sendable (_ address: String) -> WirePlace? {
    { address in
      places.place(of: address).map {
        WirePlace(country: $0.country, region: $0.region, city: $0.city)
      }
    }
  }

  private func operations(_ settings: ServerSettings) -> Operations {
    Operations(
      checks: {
        (health(settings).findings + [LossNote(settings.data).finding]).map {
          Operations.Check(
            name: $0.name,
            detail: ClientText.of($0.detail),
            isProblem: $0.isProblem
          )
        } + jobChecks() + [
          Operations.Check(name: "Version", detail: Versions.summary, isProblem: false)
        ]
      },
      setAside: { limit in
        let entries = try loader.setAside.entries(limit: limit).map {
          Operations.SetAside(name: $0.name, bytes: $0.bytes, reason: ClientText.of($0.reason))
        }
        return (entries, try loader.setAside.count())
      },
      replay: { try loader.replaySetAside() }
    )
  }

  /// What the server was asked to do and has not done.
  private func jobChecks() -> [Operations.Check] {
    do {
      let finding = JobFinding(
        try catalog.jobs(.all, limit: 1_000),
        nowMs: WallClock.milliseconds()
      )
      return [
        Operations.Check(
          name: finding.finding.name,
          detail: finding.finding.detail,
          isProblem: finding.finding.isProblem
        )
      ]
    } catch {
      return [Operations.Check(name: "Jobs", detail: faults.note(error), isProblem: true)]
    }
  }

  /// What is known of the parts now.
  private func health(_ settings: ServerSettings) -> ServerHealth {
    let free = DiskSpace.free(at: settings.data.path)
    return ServerHealth(
      log: log.status,
      maxLogBytes: log.settings.retention.maxBytes,
      refusal: log.refusal,
      loader: loader.status,
      freeBytes: free,
      usedBytes: DiskSpace.used(at: settings.data.path),
      forecast: DiskForecast(diskDays(), freeBytes: free ?? 0),
      storeBytes: DiskSpace.size(of: settings.data.store)
        + DiskSpace.size(of: settings.data.store + ".wal"),
      places: places.map {
        PlaceFinding(path: $0.path, description: $0.description, nowMs: WallClock.milliseconds())
      }
    )
  }

  private func diskDays() -> [DiskDay] {
    let today = WallClock.milliseconds() / 86_400_000
    // Without the sizes of earlier days there is only no forecast; the catalogue is looked at elsewhere.
    do { return try catalog.diskDays(fromDay: today - 14) } catch { return [] }
  }

  private func checks(_ settings: ServerSettings) -> [OperatorRoutes.Check] {
    let losses = LossNote(settings.data).finding
    let refusal = log.refusal
    return [
      OperatorRoutes.Check(
        name: "log",
        problem: (refusal ?? log.status.problem).map(ClientText.of),
        isVital: refusal != nil
      ),
      OperatorRoutes.Check(
        name: "store",
        // The loader asks the store from the start on, and again until it answers.
        problem: loader.status.problem.map(ClientText.of),
        isVital: false
      ),
      OperatorRoutes.Check(
        name: "losses",
        problem: losses.isProblem ? ClientText.of(losses.detail) : nil,
        isVital: false
      ),
    ]
  }

  private func metrics(
    _ settings: ServerSettings,
    ingest: IngestMetrics,
    router: Router?
  ) -> [MetricFamily] {
    let program = MetricFamily(
      "footfall_info",
      "The program's version.",
      .gauge,
      [MetricSample(labels: [("version", Versions.program)], 1)]
    )
    return [program] + ingest.families + MetricFamily.ingestLog(log.status)
      + MetricFamily.loader(loader.status)
      + MetricFamily.keeping(
        freeBytes: DiskSpace.free(at: settings.data.path),
        storeBytes: DiskSpace.size(of: settings.data.store),
        removed: housekeeper.removed.load(ordering: .relaxed)
      ) + MetricFamily.connections(connections.now)
      + (router.map { [MetricFamily.requests(of: $0)] } ?? [])
  }

  /// What an operator should be told at the start.
  func warnings(_ settings: ServerSettings) -> [String] {
    let losses = LossNote(settings.data).finding
    var warnings = losses.isProblem ? [losses.detail] : []
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
  /// The web server's connections.
  static func connections(_ numbers: ConnectionNumbers.Now) -> [MetricFamily] {
    [
      MetricFamily(
        "footfall_http_connections",
        "Connections that are open.",
        .gauge,
        [MetricSample(Double(numbers.open))]
      ),
      MetricFamily(
        "footfall_http_refused_connections_total",
        "Connections closed at once because their address had too many (--connections-per-address).",
        .counter,
        [MetricSample(Double(numbers.refused))]
      ),
    ]
  }

  /// What is kept and how much room is left.
  static func keeping(freeBytes: UInt64?, storeBytes: UInt64, removed: Int) -> [MetricFamily] {
    [
      MetricFamily(
        "footfall_disk_free_bytes",
        "Bytes that may still be written on the data folder's disk.",
        .gauge,
        freeBytes.map { [MetricSample(Double($0))] } ?? []
      ),
      MetricFamily(
        "footfall_store_bytes",
        "Bytes of the store's file.",
        .gauge,
        [MetricSample(Double(storeBytes))]
      ),
      MetricFamily(
        "footfall_retention_removed_events_total",
        "Events removed because they were kept for long enough.",
        .counter,
        [MetricSample(Double(removed))]
      ),
    ]
  }

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
      family("batches_total", "Batches stored.", .counter, status.batches),
      MetricFamily(
        "footfall_loader_store_seconds_total",
        "Seconds the store took for them.",
        .counter,
        [MetricSample(status.storeSeconds)]
      ),
      family("lag_events", "About how many events that is.", .gauge, status.lagEvents),
      family("failures", "How often in a row loading failed.", .gauge, status.failures),
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
