import Catalog
import EventRecord
import EventStore
import Foundation
import FootfallSystem
import Insights
import ServerApp
import Testing

/// A whole server on a loopback port and a fresh data folder, as an operator would run it.
final class TestServer {
  let server: Server
  let key: String
  let folder: String
  let project: UInt32

  /// Starts a server, on a fresh folder and any port unless told otherwise.
  init(
    folder: String? = nil,
    port: UInt16 = 0,
    _ change: (inout ServerSettings) -> Void = { _ in }
  ) throws {
    self.folder = folder ?? NSTemporaryDirectory() + "footfall-e2e-" + UUID().uuidString
    var settings = ServerSettings(data: DataFolder(path: self.folder + "/data"))
    settings.port = port
    settings.share = Self.share
    change(&settings)
    server = try Server(settings, problemLog: { print("server: \($0)") })
    try #require(server.warnings == [], "script/bootstrap puts the missing parts in place")
    key = try server.key(ofProject: "My app")
    project = try #require(try server.catalog.projects().first).id
    try server.start()
  }

  /// Where `script/bootstrap` puts libduckdb and the page assets.
  private static var share: String? {
    ShareFolder.find(
      flag: nil,
      environment: ProcessInfo.processInfo.environment,
      executable: #filePath,
      exists: { FileManager.default.fileExists(atPath: $0) }
    )
  }

  var url: URL {
    get throws { try #require(URL(string: server.localAddress)) }
  }

  /// What a client tracked: the stored events without changes of properties, once there are as many.
  func tracked(_ count: Int) throws -> [StoredEvent] {
    try events(count) { $0.kind == .event }
  }

  /// The project's stored events, oldest first, once there are as many; waits for the loader.
  func events(
    _ count: Int,
    where isMeant: (StoredEvent) -> Bool = { _ in true }
  ) throws -> [StoredEvent] {
    func found() throws -> [StoredEvent] {
      try RecentEvents(project: project, limit: 1_000).run(on: server.store).reversed()
        .filter(isMeant)
    }
    let loaded = Monitor(false)
    let subscription = server.feed.subscribe(
      project: project,
      onWake: { loaded.change { $0 = true } }
    )
    defer { subscription.cancel() }
    let patience = MonotonicTime.now()
    while MonotonicTime.now().seconds(since: patience) < 30 {
      let events = try found()
      if events.count >= count { return events }
      _ = loaded.wait(timeoutSeconds: 0.2) { $0 ? true : nil }
      loaded.change { $0 = false }
      _ = subscription.take()
    }
    return try found()
  }

  /// What became of a job, once it is over; waits a minute for that.
  func wait(forJob id: Int64) throws -> Job {
    let patience = MonotonicTime.now()
    let ended = Monitor(false)
    while MonotonicTime.now().seconds(since: patience) < 60 {
      let job = try #require(try server.catalog.job(id))
      if job.state.isOver { return job }
      _ = ended.wait(timeoutSeconds: 0.02) { $0 ? () : nil }
    }
    Issue.record("job \(id) did not end within a minute")
    return try #require(try server.catalog.job(id))
  }

  /// Sends bytes to the server and returns the status and the body of its answer.
  func post(
    _ path: String,
    _ body: String,
    headers: [String: String] = [:]
  ) throws -> (status: Int, body: String) {
    let port = try #require(url.port)
    return try LoopbackRequest.post(port: UInt16(port), path: path, headers: headers, body: body)
  }

  /// Stops the server and removes what it kept, unless a next one goes on with it.
  func stop(keepingFolder: Bool = false) {
    server.stop()
    guard !keepingFolder else { return }
    do {
      try FileManager.default.removeItem(atPath: folder)
    } catch {
      Issue.record("the test's folder could not be removed: \(error)")
    }
  }
}
