public import Catalog
public import EventStore

import Dashboard
import EndpointStore
import FootfallJournal
import FootfallSystem
import Foundation
import HTTPServing
import Ingest
import IngestLog
import Insights
import Loader
import Places
import Webhooks

/// A whole server: everything between an app's request and a page, put together in one place.
///
/// ```swift
/// let server = try Server(ServerSettings(data: DataFolder(path: "data")))
/// try server.start()
/// …
/// server.stop()
/// ```
///
/// Made, started and stopped on one thread; the rest may come from any.
public final class Server: Sendable {
  /// What the first start made.
  public struct FirstStart: Sendable {
    /// The project's name.
    public let projectName: String
    /// The key its apps send with.
    public let key: String
    /// The address that signs the owner in, once, within a day.
    public let signInAddress: String
  }

  /// What this start made, nil when the data folder was in use before.
  public let firstStart: FirstStart?
  /// What works less well than it should, a sentence each.
  public let warnings: [String]
  /// Projects, keys and users.
  public let catalog: Catalog
  /// The events that were loaded.
  public let store: any EventStore
  /// New events as they are loaded.
  public let feed: LiveFeed
  /// Erases events, and keeps what was erased from coming back.
  public let erasing: Erasing

  private let settings: ServerSettings
  private let log: IngestLog
  private let data: OpenedData
  private let loader: Loader
  private let housekeeper: Housekeeper
  private let alerts: AlertRunner
  private let jobs: JobRunner
  private let http: HTTPServer
  private let report: @Sendable (String) -> Void

  /// Opens the data folder and takes the port; nobody is answered before `start`.
  ///
  /// - Parameters:
  ///   - settings: What the operator decided.
  ///   - accessLog: Is told a line for each answered request that is no upload; none by default.
  ///   - problemLog: Is told what an operator should know while the server runs.
  /// - Throws: `StartError`, which says what to do.
  public init(
    _ settings: ServerSettings,
    accessLog: (@Sendable (String) -> Void)? = nil,
    problemLog: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(StartError) {
    try Self.checkFirstAddress(settings)
    try settings.data.prepare()
    self.settings = settings
    report = problemLog
    data = try OpenedData(settings) { OpenedStore.open($0) }
    log = data.log
    catalog = data.catalog
    store = data.opened.store
    erasing = data.erasing
    feed = LiveFeed()
    let usage = UsageMeter()
    loader = Loader(
      log: log,
      store: store,
      feed: feed,
      poisonFolder: data.setAside,
      erased: { [erasing] in try erasing.erased() },
      repeated: { repeats in
        for (place, events) in repeats {
          usage.repeated(events: events, project: place.project, day: place.day)
        }
      },
      lost: { [note = LossNote(settings.data)] gaps in
        do { try note.add(LogReview.losses(in: gaps)) } catch {
          problemLog("What is lost of the log could not be noted: \(error)")
        }
      },
      report: problemLog
    )
    erasing.wait(for: loader)
    jobs = JobRunner(
      JobWorker(folder: settings.data, data: data, loader: loader),
      report: problemLog
    )

    try StartError.part("catalogue") { [catalog, log] in
      try usage.start(from: catalog, log: log)
    }
    let places = try settings.places.map { (path) throws(StartError) in
      try StartError.part("file of places") {
        try PlaceTable(path: path, copy: settings.data.placesCopy)
      }
    }
    housekeeper = Housekeeper(
      catalog: catalog,
      store: store,
      log: log,
      usage: usage,
      places: places,
      data: settings.data,
      erasing: erasing,
      report: problemLog
    )
    let webhooks = WebhookSender(allowsPrivate: settings.allowsPrivateWebhooks)
    alerts = AlertRunner(
      catalog: catalog,
      store: store,
      sender: webhooks,
      report: problemLog
    )
    let assets = AssetFolder(path: settings.share)
    let connections = ConnectionNumbers()
    let parts = Parts(
      catalog: catalog,
      state: data.state,
      log: log,
      endpoints: data.endpoints,
      loader: loader,
      store: store,
      feed: feed,
      assets: assets,
      usage: usage,
      housekeeper: housekeeper,
      erasing: erasing,
      places: places,
      connections: connections,
      storeProblem: data.opened.problem,
      webhooks: webhooks,
      faults: FaultLog(problemLog)
    )
    let router = parts.router(settings)
    http = try Self.openHTTP(settings, router, accessLog: accessLog)
    connections.ask(http)
    warnings = parts.warnings(settings)
    // Last of all: its key and address are told once, so a start that fails must not use them up.
    let first = try StartError.part("catalogue") { [catalog] in
      try catalog.prepareFirstStart(projectName: settings.firstProject)
    }
    let address = Self.address(settings, http)
    firstStart = first.map { made in
      FirstStart(
        projectName: made.project.name,
        key: made.ingestKey.plaintext,
        signInAddress: address + "/sign-in/" + made.signInToken
      )
    }
  }

  /// How people and apps reach it.
  public var address: String { Self.address(settings, http) }

  /// How programs on this machine reach it.
  public var localAddress: String {
    let host = ["0.0.0.0", "::", "[::]"].contains(settings.host) ? "127.0.0.1" : settings.host
    return "http://\(host.contains(":") ? "[\(host)]" : host):\(http.port)"
  }

  /// Begins to load and to answer.
  ///
  /// - Throws: `StartError` when the system has no threads or descriptors left.
  public func start() throws(StartError) {
    do {
      // The store's file is written anew while others are answered already, see `JobRunner.tidy`.
      _ = try erasing.resume(leavingBytes: true)
      _ = try erasing.followClock()
    } catch {
      // A store that is away now is caught up later; nothing erased is loaded meanwhile.
      report("What was erased could not be finished, and is tried again: \(error)")
    }
    try StartError.part("loader") { try loader.start() }
    try StartError.part("housekeeping") { try housekeeper.start() }
    try StartError.part("jobs") { try jobs.start() }
    try StartError.part("alerts") { try alerts.start() }
    try StartError.part("web server") { try http.start() }
  }

  /// Stops gracefully; blocks until everything is closed.
  ///
  /// What was received is answered, and the store takes what the log holds, for `stopSeconds` at
  /// most; the next start loads the rest.
  public func stop() {
    http.stop()
    alerts.stop()
    jobs.stop()
    data.state.close()
    data.endpoints.close()
    log.drain()
    housekeeper.stop()
    // A store that fails would only be waited for in vain.
    if loader.status.problem == nil {
      _ = loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: settings.stopSeconds)
    }
    loader.stop()
    store.close()
    log.close()
  }

  /// The key for apps of the project with this name; makes the project or a key where there is none.
  ///
  /// - Throws: `StartError.part` when the catalogue cannot be read or written.
  public func key(ofProject name: String) throws(StartError) -> String {
    try StartError.part("catalogue") { [catalog] in
      let all = try catalog.projects()
      let found =
        all.first { $0.name == name } ?? all.first { ProjectName($0.name) == ProjectName(name) }
      let project = try found ?? catalog.createProject(name: name)
      let working = try catalog.keys(project: project.id).first {
        $0.kind == .ingest && !$0.isRevoked
      }
      if let value = working?.value { return value }
      return try catalog.createKey(project: project.id, kind: .ingest, label: "First app").plaintext
    }
  }

  private static func address(_ settings: ServerSettings, _ http: HTTPServer) -> String {
    if let url = settings.publicURL { return url }
    let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
    return "http://\(host):\(http.port)"
  }

  static func openLog(_ settings: ServerSettings) throws(StartError) -> IngestLog {
    try openLog(of: settings.data, settings.log)
  }

  /// Opens the log of a folder that no server runs on.
  static func openLog(
    of data: DataFolder,
    _ settings: IngestLog.Settings = IngestLog.Settings(),
    keepsItself: Bool = true
  ) throws(StartError) -> IngestLog {
    do {
      return try IngestLog(folder: data.log, settings: settings, keepsItself: keepsItself)
    } catch {
      if case .locked(let pid) = error.cause { throw .held(path: data.path, pid: pid) }
      throw .part("ingest log", reason: error.description)
    }
  }

  /// Leaves no data folder behind where the first start cannot listen.
  private static func checkFirstAddress(_ settings: ServerSettings) throws(StartError) {
    guard !FileManager.default.fileExists(atPath: settings.data.path) else { return }
    do {
      try HTTPServer.check(host: settings.host, port: Int(settings.port))
    } catch {
      throw .part("web server", reason: String(describing: error))
    }
  }

  private static func openHTTP(
    _ settings: ServerSettings,
    _ router: Router,
    accessLog: (@Sendable (String) -> Void)?
  ) throws(StartError) -> HTTPServer {
    let access: (@Sendable (AccessRecord) -> Void)? =
      if let accessLog { { record in accessLog(record.line) } } else { nil }
    // The library's own complaints are dropped: a line for each thing that a client does wrong, which
    // `/metrics` counts.
    do {
      return try HTTPServer(
        host: settings.host,
        port: Int(settings.port),
        limits: settings.effectiveLimits,
        router: router,
        accessLog: access
      )
    } catch {
      throw .part("web server", reason: String(describing: error))
    }
  }
}
