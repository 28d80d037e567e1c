import Catalog
import EventRecord
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import Insights
import Testing

@testable import AdminAPI

/// The API over a catalogue of its own and a store in memory, at a time that stands still.
final class APIFixture: Sendable {
  static let nowMs: Int64 = 1_796_117_400_000

  let folder: String
  let catalog: Catalog
  let store: InMemoryEventStore
  let site: APISite
  let router: Router
  let now = Lock(APIFixture.nowMs)
  let files: APIFiles

  init(
    events: [StoredEvent] = [APIFixture.event(1), APIFixture.event(2, name: "Cart Opened")]
  ) throws {
    folder = FileManager.default.temporaryDirectory.path + "/api-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    catalog = try Catalog(path: folder + "/catalog.sqlite")
    _ = try catalog.prepareFirstStart(projectName: "Notes")
    store = InMemoryEventStore(events)
    let clock: @Sendable () -> Int64 = { [now] in now.withLock { $0 } }
    files = APIFiles(
      exports: folder + "/exports",
      uploads: UploadFolder(folder + "/uploads", freeBytes: { _ in .max }),
      backups: folder + "/backups"
    )
    site = APISite(catalog: catalog, store: store, files: files, version: "1.2.3", nowMs: clock)
    var router = Router()
    APIRoutes(
      catalog: catalog,
      store: store,
      files: files,
      version: "1.2.3",
      webhookRefusal: { $0.contains("//10.") ? "It is in a private network." : nil },
      nowMs: clock
    ).install(in: &router)
    self.router = router
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: folder) } catch { print(error) }
  }

  /// A program with a new key of that role.
  func program(_ role: Role, project: UInt32 = 1) throws -> Program {
    let key = try catalog.createKey(project: project, kind: .secret, role: role)
    return Program(client: TestClient(router), key: key.plaintext, keyID: key.key.id)
  }

  /// A job that waits, as if asked for; for all data without a project.
  func ask(_ work: StoreWork, project: UInt32? = 1) throws -> Job {
    try catalog.addJob(
      kind: work.kind,
      project: project,
      document: try work.encoded(),
      summary: work.summary,
      by: .commandLine
    )
  }

  /// An export that is done, with its file.
  func exported(_ text: String = "{}\n") throws -> Job {
    let job = try ask(.export(.ndjson, EventConditions(), person: nil))
    _ = try catalog.nextJob()
    try write(text, to: ExportFile.path(ofJob: job.id, form: "ndjson", in: files.exports))
    try catalog.endJob(job.id, .done, counts: ["events": 1])
    return job
  }

  func write(_ text: String, to path: String) throws {
    let file = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }

  static func event(
    _ number: UInt64,
    name: String = "Song Played",
    project: UInt32 = 1,
    client: String = #"{"deployment":"macos","os":"macOS"}"#
  ) -> StoredEvent {
    StoredEvent(
      key: EventKey(high: 1, low: number),
      project: project,
      name: name,
      timestampMs: nowMs - Int64(number) * 1_000,
      sequence: Int64(number),
      id: "event-\(number)",
      deviceID: "phone-\(number)",
      properties: #"{"title":"Here \"Comes\" the Sün","n":1.50}"#,
      client: client
    )
  }
}

/// What a program sends: its key and JSON.
struct Program: Sendable {
  let client: TestClient
  var key: String
  let keyID: Int64

  func call(
    _ method: HTTPMethod,
    _ path: String,
    _ body: String? = nil,
    headers: [Header] = []
  ) async -> Response {
    await client.send(
      method,
      APIRoutes.root + path,
      headers: [
        Header("Authorization", "Bearer \(key)"), Header("Content-Type", "application/json"),
      ]
        + headers,
      body: Array((body ?? "").utf8)
    )
  }
}

extension Response {
  /// The members of the JSON object it holds.
  var json: Members<PropertyValue> { PropertyValue.members(of: text) ?? [:] }

  /// The word of the refusal it holds.
  var code: String? {
    guard case .object(let error)? = json["error"], case .text(let code)? = error["code"] else {
      return nil
    }
    return code
  }
}
