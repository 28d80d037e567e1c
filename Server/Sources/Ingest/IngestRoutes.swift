public import Catalog
public import EndpointStore
public import HTTPServing
public import IngestLog
internal import EventRecord
internal import FootfallJournal
internal import FootfallSystem
internal import Foundation
public import Wire

/// The routes that take events.
///
/// A request is answered with 202 (Amplitude's: 200) only once its record is synced in the log;
/// whether the store works does not matter. The whole path runs on the connection's thread and
/// never waits.
///
/// ```swift
/// let ingest = IngestRoutes(catalog: catalog, log: log)
/// ingest.install(in: &router)
/// ```
public final class IngestRoutes: Sendable {
  // A class, because every request's closures hold it: one count instead of one for each of its parts.

  /// What was taken and turned away.
  public let metrics = IngestMetrics()

  let resolve: @Sendable (UnsafeRawBufferPointer) -> KeyResolution
  let facts: @Sendable (Int64) -> KeyFacts?
  /// The names that a project refuses; nil where it refuses none.
  let blocked: @Sendable (_ project: UInt32) -> BlockedNames?
  let usage: UsageMeter
  let log: IngestLog
  let state: StateStore
  let settings: IngestSettings
  let nowMs: @Sendable () -> Int64
  /// What a stream's readers are not handed any more.
  let erased: @Sendable () throws -> StreamErased
  let place: (@Sendable (_ address: String) -> WirePlace?)?
  let requests = Lock(RequestRates())
  let scratch = ScratchPool()
  let answers = PreparedAnswers()
  let throttle = AmplitudeThrottle()
  let streamRates = Lock(StreamRates())
  let blocking = BlockingCalls()
  /// Lets AWS clients in.
  let aws: AWSGate
  /// How fast Pinpoint's applications send.
  let putEventsRates = Lock(SendingRates())
  /// Pinpoint's endpoints; nil where Pinpoint's clients are not served.
  let endpoints: EndpointStore?

  /// Makes the routes.
  ///
  /// - Parameters:
  ///   - catalog: knows the keys.
  ///   - log: where records go.
  ///   - state: what some protocols must know to answer.
  ///   - place: where an address is; nil where nobody knows.
  ///   - endpoints: those of Pinpoint; nil leaves Pinpoint's routes out.
  ///   - settings: limits.
  ///   - usage: counts what projects send, and turns away who is over its quota.
  ///   - erased: what a stream's readers are not handed any more; while it throws, they get nothing.
  ///   - nowMs: the wall clock in milliseconds since 1970.
  public convenience init(
    catalog: Catalog,
    log: IngestLog,
    state: StateStore,
    place: (@Sendable (_ address: String) -> WirePlace?)? = nil,
    endpoints: EndpointStore? = nil,
    settings: IngestSettings = IngestSettings(),
    usage: UsageMeter = UsageMeter(),
    erased: @escaping @Sendable () throws -> StreamErased = { StreamErased() },
    nowMs: @escaping @Sendable () -> Int64 = WallClock.milliseconds
  ) {
    self.init(
      resolve: { catalog.resolve(ingestKey: $0) },
      facts: { catalog.facts(ofIngestKey: $0) },
      blocked: { catalog.blockedNames(project: $0) },
      usage: usage,
      aws: AWSGate.Directory(
        key: { catalog.awsKey($0) },
        app: { catalog.pinpointApp($0) },
        apps: { (project) throws(CatalogError) in try catalog.pinpointApps(project: project) },
        addApp: { (project, name) throws(CatalogError) in
          try catalog.addPinpointApp(project: project, name: name)
        },
        removeApp: { (app) throws(CatalogError) in
          try catalog.removePinpointApp(app.id, project: app.project)
        },
        streams: StreamDirectory(catalog)
      ),
      log: log,
      state: state,
      place: place,
      endpoints: endpoints,
      settings: settings,
      erased: erased,
      nowMs: nowMs
    )
  }

  init(
    resolve: @escaping @Sendable (UnsafeRawBufferPointer) -> KeyResolution,
    facts: @escaping @Sendable (Int64) -> KeyFacts? = { _ in nil },
    blocked: @escaping @Sendable (UInt32) -> BlockedNames? = { _ in nil },
    usage: UsageMeter = UsageMeter(),
    aws: AWSGate.Directory = AWSGate.Directory(),
    log: IngestLog,
    state: StateStore,
    place: (@Sendable (_ address: String) -> WirePlace?)? = nil,
    endpoints: EndpointStore? = nil,
    settings: IngestSettings,
    erased: @escaping @Sendable () throws -> StreamErased = { StreamErased() },
    nowMs: @escaping @Sendable () -> Int64
  ) {
    self.resolve = resolve
    self.facts = facts
    self.blocked = blocked
    self.usage = usage
    self.aws = AWSGate(directory: aws, publicHost: settings.publicHost, nowMs: nowMs)
    self.log = log
    self.state = state
    self.place = place
    self.endpoints = endpoints
    self.settings = settings
    self.erased = erased
    self.nowMs = nowMs
  }

  /// Adds `/v1/events` and the paths that SimpleDataLogs', Amplitude's and Phase's clients use.
  public func install(in router: inout Router) {
    for path in ["/v1/events", "/v1/ingest", "/v1/batch", "/events", "/ingest"] {
      install(path, maxBytes: settings.maxRequestBytes, in: &router, Self.nativeRefusal) {
        [self] request in
        native(request)
      }
    }
    installAmplitude(in: &router)
    installPhase(in: &router)
    if let endpoints { PinpointRoutes(ingest: self, endpoints: endpoints).install(in: &router) }
  }

  /// Adds a path that takes events, by `POST` and what else its clients use.
  func install(
    _ path: String,
    _ methods: [HTTPMethod] = [.post],
    maxBytes: Int,
    in router: inout Router,
    _ refusal: @escaping @Sendable (Refusal) -> WireAnswer?,
    _ handler: @escaping Handler
  ) {
    var options = RouteOptions()
    options.maxBodyBytes = maxBytes
    options.mayBlock = false
    options.isLogged = false
    options.refusal = { [metrics] reason in
      metrics.refused(reason.name)
      return refusal(reason).map(PreparedAnswers.response) ?? reason.response
    }
    for method in methods { router.on(method, path, options: options, handler: handler) }
    router.options(path, options: options) { .now(PreparedAnswers.preflight($0)) }
  }

  /// Hands an accepted request's record to the log; the answer waits for the sync.
  ///
  /// - Parameters:
  ///   - acceptance: the record and its answer.
  ///   - key: the key it came with; events of one for tests are marked.
  ///   - project: the project whose losses are counted; that of the record unless told.
  ///   - tooLarge: the answer to a record that the log does not take, given the log's limit in bytes.
  ///   - overQuota: the answer, of status 429, to a project that is over its day's number; unless given, `overloaded`'s.
  ///   - overloaded: the answer that asks to come again after so many seconds.
  /// - Returns: the reply.
  func log(
    _ acceptance: WireAcceptance,
    key: Int64? = nil,
    project: UInt32? = nil,
    tooLarge: @escaping @Sendable (Int) -> WireAnswer,
    overQuota: (@Sendable (Int) -> WireAnswer)? = nil,
    overloaded: @escaping @Sendable (Int) -> WireAnswer
  ) -> Reply {
    log(
      acceptance,
      key: key,
      project: project,
      plainAnswers(acceptance, tooLarge, overQuota, overloaded)
    )
  }

  /// The same for a request that waits already.
  func log(
    _ acceptance: WireAcceptance,
    key: Int64? = nil,
    project: UInt32? = nil,
    tooLarge: @escaping @Sendable (Int) -> WireAnswer,
    overQuota: (@Sendable (Int) -> WireAnswer)? = nil,
    overloaded: @escaping @Sendable (Int) -> WireAnswer,
    answering handle: ReplyHandle
  ) {
    let answers = plainAnswers(acceptance, tooLarge, overQuota, overloaded)
    if let refusal = refusal(of: acceptance, answers) { return handle.finish(refusal) }
    let (acceptance, project) = (withoutBlocked(acceptance), project ?? acceptance.project)
    noteLeft(acceptance, project)
    guard acceptance.events > 0 else { return handle.finish(answers.accepted(acceptance.answer)) }
    submit(marked(acceptance, key: key), answers, answering: handle)
  }

  /// How a protocol answers what became of a record.
  struct Answers: Sendable {
    /// It is in the log.
    var accepted: @Sendable (WireAnswer) -> Response
    /// It is larger than the log takes.
    var tooLarge: @Sendable () -> Response
    /// The project is over its day's number; the number is the seconds to wait.
    ///
    /// Unless set, the answer while the log takes nothing.
    var overQuota: (@Sendable (Int) -> Response)?
    /// The log takes nothing; the number is the seconds to wait.
    var overloaded: @Sendable (Int) -> Response
  }

  /// The same for a protocol whose answers have header fields of their own.
  func log(
    _ acceptance: WireAcceptance,
    key: Int64? = nil,
    project: UInt32? = nil,
    _ answers: Answers
  ) -> Reply {
    if let refusal = refusal(of: acceptance, answers) { return .now(refusal) }
    let (acceptance, project) = (withoutBlocked(acceptance), project ?? acceptance.project)
    noteLeft(acceptance, project)
    guard acceptance.events > 0 else { return .now(answers.accepted(acceptance.answer)) }
    let marked = marked(acceptance, key: key)
    return .later { [self] handle in submit(marked, answers, answering: handle) }
  }

  /// The answer to a project that is over its day's number; nil for any other.
  private func refusal(of acceptance: WireAcceptance, _ answers: Answers) -> Response? {
    guard let project = acceptance.project,
      let seconds = usage.waitSeconds(project: project, nowMs: nowMs())
    else { return nil }
    usage.refused(events: acceptance.events, project: project, nowMs: nowMs())
    usage.lost(1, .refused, reason: "quota", project: project, nowMs: nowMs())
    metrics.refused("quota")
    return answers.overQuota?(seconds) ?? answers.overloaded(seconds)
  }

  private func plainAnswers(
    _ acceptance: WireAcceptance,
    _ tooLarge: @escaping @Sendable (Int) -> WireAnswer,
    _ overQuota: (@Sendable (Int) -> WireAnswer)?,
    _ overloaded: @escaping @Sendable (Int) -> WireAnswer
  ) -> Answers {
    let isCommon = acceptance.rejections.isEmpty && acceptance.events > 0
    let limit = log.settings.maxRecordBytes
    return Answers(
      accepted: { [answers] in
        isCommon ? answers.accepted($0) : PreparedAnswers.response($0)
      },
      tooLarge: { PreparedAnswers.response(tooLarge(limit)) },
      overQuota: { PreparedAnswers.response((overQuota ?? overloaded)($0)) },
      overloaded: { PreparedAnswers.response(overloaded($0)) }
    )
  }

  private func noteLeft(_ acceptance: WireAcceptance, _ project: UInt32?) {
    metrics.left(
      duplicates: acceptance.duplicates,
      rejections: acceptance.rejections,
      clientDropped: acceptance.clientDropped
    )
    let isWhole =
      acceptance.duplicates == 0 && acceptance.rejections.isEmpty
      && acceptance.clientDropped.isEmpty
    guard !isWhole, let project else { return }
    let (library, now) = (acceptance.library, nowMs())
    func lost(_ count: Int, _ kind: DayLosses.Kind, _ reason: String) {
      usage.lost(
        count,
        kind,
        reason: reason,
        library: library,
        project: project,
        nowMs: now
      )
    }
    lost(acceptance.duplicates, .repeated, "in_request")
    for (reason, count) in acceptance.rejections { lost(count, .rejected, reason.rawValue) }
    for (reason, count) in acceptance.clientDropped { lost(count, .dropped, reason) }
  }

  private func submit(
    _ acceptance: WireAcceptance,
    _ answers: Answers,
    answering handle: ReplyHandle
  ) {
    let events = acceptance.events
    let answer = acceptance.answer
    let (project, bytes) = (acceptance.project, acceptance.record.count)
    let submission = log.submit(acceptance.record) { [self] result in
      switch result {
      case .success(let end):
        metrics.accepted(events: events)
        if let project {
          usage.took(events: events, bytes: bytes, project: project, nowMs: nowMs(), upTo: end)
        }
        handle.finish(answers.accepted(answer))
      case .failure(.tooLarge):
        // Escapes can make a record larger than its body; sent again it would be no smaller.
        metrics.refused("too_large")
        handle.finish(answers.tooLarge())
      case .failure:
        metrics.refused("disk")
        handle.finish(answers.overloaded(settings.diskRetrySeconds))
      }
    }
    if submission != .accepted { handle.finish(turnedAway(submission, answers.overloaded)) }
  }

  /// The same without the events whose names the project refuses, whatever protocol they came by.
  ///
  /// A protocol whose answers cannot say so has taken them by its answer: an old vendor's client would
  /// send a refused event again for ever.
  private func withoutBlocked(_ acceptance: WireAcceptance) -> WireAcceptance {
    guard acceptance.events > 0, let project = acceptance.project, let names = blocked(project)
    else { return acceptance }
    var count = 0
    let record = acceptance.record.withUnsafeBytes { bytes in
      RecordEraser.erase(bytes) { event, _ in
        guard event.kind == .event, names.contains(event.name) else { return false }
        count += 1
        return true
      }
    }
    guard let record else { return acceptance }
    var acceptance = acceptance
    acceptance.events = max(0, acceptance.events - count)
    acceptance.record = acceptance.events > 0 ? record : []
    acceptance.rejections[.blocked, default: 0] += count
    return acceptance
  }

  /// The same with its events marked where the key is one for tests.
  private func marked(_ acceptance: WireAcceptance, key: Int64?) -> WireAcceptance {
    guard acceptance.events > 0, let key, facts(key)?.isTest == true else { return acceptance }
    var acceptance = acceptance
    RecordEditing.markTest(&acceptance.record)
    return acceptance
  }

  /// What a key's label says of the clients that send with it, for the description in their records.
  func clientMember(ofKey key: Int64?) -> String? {
    guard let key, let label = facts(key)?.label, !label.isEmpty else { return nil }
    return RecordEditing.clientMember("deployment", label)
  }

  /// The answer while the log takes nothing.
  func turnedAway(_ submission: Submission, _ overloaded: (Int) -> WireAnswer) -> Response {
    turnedAway(submission) { PreparedAnswers.response(overloaded($0)) }
  }

  /// The same for a protocol whose answers have header fields of their own.
  func turnedAway(_ submission: Submission, _ overloaded: (Int) -> Response) -> Response {
    let isFull = submission == .full
    metrics.refused(isFull ? "log_full" : "overloaded")
    return overloaded(isFull ? settings.diskRetrySeconds : settings.overloadRetrySeconds)
  }

  /// Tells where a request came from; nil where nobody knows.
  func places(of request: Request) -> WirePlaces? {
    place.map { WirePlaces(remoteAddress: request.remoteAddress, find: $0) }
  }

  /// Runs `body` with the request's bytes as they were before compression; a second time for the same
  /// request they are not to be counted.
  func inflated<R>(
    _ request: Request,
    bound: Inflater.Bound,
    scratch: IngestScratch,
    isCounted: Bool = true,
    _ body: (UnsafeRawBufferPointer) -> R
  ) throws(Inflater.Failure) -> R {
    if isCounted { metrics.received(bytes: request.body.count) }
    guard Inflater.isGzip(request.body) else {
      guard request.hasPlainEncoding else { throw .damaged }
      return body(request.body)
    }
    let bytes = try scratch.inflater.inflate(request.body, bound: bound)
    if isCounted { metrics.inflated(bytes: bytes.count) }
    return body(bytes)
  }
}

extension WireAcceptance {
  /// The library that sent it, as its record says; empty where it does not, or where nothing is recorded.
  fileprivate var library: String {
    guard !record.isEmpty else { return "" }
    return record.withUnsafeBytes { bytes in
      do {
        let client = Data(try RecordReader(bytes).context)
        guard !client.isEmpty else { return "" }
        let members = try JSONSerialization.jsonObject(with: client) as? [String: Any]
        return members?["library"] as? String ?? ""
      } catch {
        // The decoder wrote the record a moment ago, and its texts as JSON.
        return ""
      }
    }
  }

  /// The project its record is for; nil where it holds no event.
  var project: UInt32? {
    guard events > 0 else { return nil }
    return record.withUnsafeBytes { bytes in
      // The decoder wrote the record a moment ago.
      do { return try RecordReader(bytes).header.project } catch { return nil }
    }
  }
}

extension Request {
  /// Whether the body, not being gzip, may be taken as it is: a proxy may have inflated it and left
  /// the word `gzip` behind, but any other coding we cannot read.
  fileprivate var hasPlainEncoding: Bool {
    guard let encoding = header("content-encoding")?.lowercased() else { return true }
    return ["", "identity", "gzip", "x-gzip"].contains(encoding)
  }
}

extension Refusal {
  /// A short name for counts.
  var name: String {
    switch self {
    case .malformed: "malformed"
    case .unknownCoding: "unknown_coding"
    case .notFound: "not_found"
    case .methodNotAllowed: "method"
    case .bodyTooLarge: "too_large"
    case .overloaded: "overloaded"
    }
  }
}
