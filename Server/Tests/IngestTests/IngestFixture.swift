import Catalog
import EndpointStore
import EventRecord
import EventStore
import FootfallJournal
import FootfallSystem
import FootfallTesting
import HTTPServing
import IngestLog
import Testing
import Wire

@testable import Ingest

/// A collector on a disk in memory, with two projects and their keys.
struct IngestFixture {
  static let key = "ff_pub_test"
  static let now: Int64 = 1_764_581_500_000

  /// What the collector's clock says.
  let clock = Lock(Self.now)
  let files = MemoryFiles()
  let log: IngestLog
  let state: StateStore
  let routes: IngestRoutes
  let usage = UsageMeter()
  let router: Router

  init(
    settings: IngestSettings = IngestSettings(),
    facts: KeyFacts? = nil,
    statePath: String = ":memory:",
    _ change: (inout IngestLog.Settings) -> Void = { _ in },
    place: (@Sendable (String) -> WirePlace?)? = nil,
    blocked: @escaping @Sendable (UInt32) -> BlockedNames? = { _ in nil }
  ) throws {
    var logSettings = IngestLog.Settings()
    change(&logSettings)
    log = try IngestLog(folder: "/log", settings: logSettings, files: files, keepsItself: false)
    state = try StateStore(path: statePath) { [clock] in clock.withLock { $0 } }
    routes = IngestRoutes(
      resolve: { key in
        switch String(decoding: key, as: UTF8.self) {
        case Self.key, "amplitude-key", "phase_test": .project(7, keyID: 1)
        case "other-amplitude-key", "phase_other": .project(8, keyID: 2)
        case "ff_pub_revoked": .revoked
        case "ff_sec_secret": .secretKeyNotForIngest
        default: .unknown
        }
      },
      facts: { _ in facts },
      blocked: blocked,
      usage: usage,
      aws: PinpointClient.directory,
      log: log,
      state: state,
      place: place,
      endpoints: try EndpointStore(path: ":memory:", nowMs: { [clock] in clock.withLock { $0 } }),
      settings: settings,
      nowMs: { [clock] in clock.withLock { $0 } }
    )
    var router = Router()
    routes.install(in: &router)
    self.router = router
  }

  /// A client that sends the key.
  var client: TestClient {
    var client = TestClient(router)
    client.headers = [
      Header("Authorization", "Bearer \(Self.key)"), Header("Content-Type", "application/json"),
    ]
    return client
  }

  /// Every event in the log, durable or not.
  func logged() throws -> [EventRecord] {
    var events: [EventRecord] = []
    var failure: RecordError?
    _ = try log.read(from: .start) { bytes, _ in
      do throws(RecordError) { events += try RecordReader.events(of: Array(bytes)) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return events
  }

  /// What a store makes of the log.
  func stored() throws -> InMemoryEventStore {
    let store = InMemoryEventStore()
    var batch = LoadBatch(log: JournalID(high: 1, low: 1))
    _ = try log.read(from: .start) { bytes, position in batch.append(bytes, upTo: position) }
    _ = try store.load(batch)
    return store
  }

  /// What the log's first record says about its request.
  func header() throws -> RecordHeader {
    var headers: [RecordHeader] = []
    var failure: RecordError?
    _ = try log.read(from: .start) { bytes, _ in
      do throws(RecordError) { headers.append(try RecordReader(bytes).header) } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return try #require(headers.first)
  }

  /// A body with events of those ids.
  static func body(_ ids: String...) -> [UInt8] {
    let events = ids.map {
      "{\"id\":\"\($0)\",\"name\":\"Song Played\",\"ts\":1764581400123,\"device_id\":\"d\",\"props\":{\"n\":1}}"
    }
    return Array("{\"events\":[\(events.joined(separator: ","))]}".utf8)
  }
}

/// Holds up every sync of a file until told to go on.
///
/// Waiting for it takes no thread: the tests share a few with what they wait for.
final class SyncGate: Sendable {
  private let isOpen = Monitor(false)
  private let reached = AsyncStream.makeStream(of: Void.self)

  func install(in files: MemoryFiles) {
    files.intercept { [isOpen, reached] operation, _ in
      guard operation == .sync else { return nil }
      reached.continuation.yield()
      isOpen.wait { $0 ? () : nil }
      return nil
    }
  }

  func waitUntilReached() async throws {
    for await _ in reached.stream { return }
    throw CancellationError()
  }

  func open() { isOpen.change { $0 = true } }
}
