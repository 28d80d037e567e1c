import Catalog
import Dashboard
import EventRecord
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import Testing

/// The dashboard over a catalogue of its own and a store in memory, at a time that stands still.
final class DashboardFixture: Sendable {
  static let nowMs: Int64 = 1_796_117_400_000  // 1 December 2026, 09:30:00 UTC

  let folder: String
  let catalog: Catalog
  let store: InMemoryEventStore
  let feed = LiveFeed()
  let start: FirstStart
  let client: TestClient
  let router: Router
  private let now: Lock<Int64>

  init(
    events: [StoredEvent] = [],
    projectName: String = "Corner Shop",
    assets: AssetFolder = AssetFolder(path: nil),
    settings: DashboardSettings = DashboardSettings(),
    answerPatienceSeconds: Double = 600,
    operations: Operations = .none
  ) throws {
    folder = FileManager.default.temporaryDirectory.path + "/dashboard-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    catalog = try Catalog(path: folder + "/catalog.sqlite")
    start = try #require(try catalog.prepareFirstStart(projectName: projectName))
    store = InMemoryEventStore(events)
    _ = try Self.export(catalog, folder: folder + "/exports")
    _ = try catalog.addSegment(name: "Of all", definition: "all", project: 1)
    _ = try catalog.addList(name: "Nobody", members: [], project: 1)
    _ = try catalog.createAlert(Self.alert, project: 1)
    _ = try catalog.createPhaseReadKey(name: "Reports", project: 1)
    var settings = settings
    settings.answerPatienceSeconds = answerPatienceSeconds
    settings.exports = folder + "/exports"
    settings.uploads = UploadFolder(folder + "/uploads", freeBytes: { _ in .max })
    let now = Lock(Self.nowMs)
    self.now = now
    var router = Router()
    DashboardRoutes(
      catalog: catalog,
      store: store,
      feed: feed,
      assets: assets,
      settings: settings,
      clock: DashboardClock(nowMs: { now.withLock { $0 } }, after: { _, work in work() }),
      operations: operations
    ).install(in: &router)
    self.router = router
    client = TestClient(router)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: folder) } catch { print(error) }
  }

  /// The terms of the alert that the project has.
  static let alert = Alert.Terms(
    name: "Too many songs",
    question: "trend",
    parameters: "range=7d&interval=day",
    rule: .over(100),
    webhook: "https://example.com/hook"
  )

  /// An export that is done, with its file.
  private static func export(_ catalog: Catalog, folder: String) throws -> Job {
    let work = StoreWork.export(.ndjson, EventConditions(), person: nil)
    let job = try catalog.addJob(
      kind: work.kind,
      project: 1,
      document: try work.encoded(),
      summary: work.summary,
      by: .user("owner")
    )
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = ExportFile.path(ofJob: job.id, form: "ndjson", in: folder)
    try Data("{}\n".utf8).write(to: URL(fileURLWithPath: path))
    _ = try catalog.nextJob()
    try catalog.endJob(job.id, .done, counts: ["events": 1, "bytes": 3])
    return job
  }

  func advance(seconds: Int64) { now.withLock { $0 += seconds * 1_000 } }

  /// A session as a browser holds it: its cookie and the token of its forms.
  func signIn(port: Int? = nil, user: String = "owner") throws -> Browser {
    let link = try catalog.createSignInLink(user: user)
    let session = try #require(try catalog.signIn(link: link))
    let name = "footfall_session" + (port.map { "_\($0)" } ?? "")
    return Browser(client: client, cookie: "\(name)=\(session.token)")
  }

  static func event(
    _ number: UInt64,
    name: String = "Song Played",
    secondsAgo: Int64 = 5,
    user: String = "ada",
    device: String = "phone-1",
    kind: EventRecord.Kind = .event,
    isTest: Bool = false,
    properties: String = #"{"title":"Here Comes the Sun"}"#
  ) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 1, low: number),
      project: 1,
      kind: kind,
      isTest: isTest,
      name: name,
      timestampMs: nowMs - secondsAgo * 1_000,
      receivedMs: nowMs - secondsAgo * 1_000 + 200,
      sequence: Int64(number),
      id: "event-\(number)",
      deviceID: device,
      userID: user,
      properties: properties,
      client: #"{"library":"footfall-swift/1.0.0","platform":"iOS","app":"4.2.0"}"#
    )
  }
}

/// What a browser sends: its cookies, and forms with the token of the page they stand on.
struct Browser: Sendable {
  let client: TestClient
  var cookie: String

  func get(_ target: String, headers: [Header] = []) async -> Response {
    await client.get(target, headers: [Header("Cookie", cookie)] + headers)
  }

  /// Sends a form that stands on the page at `page`.
  func submit(
    _ target: String,
    _ fields: [String: String] = [:],
    from page: String
  ) async throws -> Response {
    let token = try #require(Self.formToken(await get(page).text))
    return await post(target, fields.merging(["form_token": token]) { $1 })
  }

  func post(
    _ target: String,
    _ fields: [String: String],
    headers: [Header] = []
  ) async -> Response {
    let body = fields.map { "\(Self.encoded($0.key))=\(Self.encoded($0.value))" }
    return await client.post(
      target,
      headers: [
        Header("Cookie", cookie), Header("Content-Type", "application/x-www-form-urlencoded"),
      ] + headers,
      text: body.joined(separator: "&")
    )
  }

  static func formToken(_ html: String) -> String? {
    html.firstMatch(of: /name="form_token" value="([0-9a-f]{64})"/).map { String($0.1) }
  }

  static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }
}

extension Response {
  /// The cookies it sets, by name, with their attributes.
  var setCookies: [String: String] {
    var cookies: [String: String] = [:]
    for header in headers where header.name.lowercased() == "set-cookie" {
      let name = header.value.prefix { $0 != "=" }
      cookies[String(name)] = header.value
    }
    return cookies
  }
}
