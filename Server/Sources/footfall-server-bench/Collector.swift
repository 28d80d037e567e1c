import Catalog
import EndpointStore
import FootfallSystem
import Foundation
import HTTPServing
import Ingest
import IngestLog
import SigV4

/// The collector inside this process: keys, log and the ingest routes, without a loader.
final class Collector {
  let catalog: Catalog
  let project: UInt32
  let key: String
  /// A key that its project took over from Amplitude.
  let amplitudeKey = "0123456789abcdef0123456789abcdef"
  /// Its project's Pinpoint application, and the key that signs for it.
  let app: String
  private let awsKey: CreatedKey
  let log: IngestLog
  var port: Int { server.port }
  private let server: HTTPServer

  init(folder: URL) throws {
    catalog = try Catalog(path: folder.appendingPathComponent("catalog.sqlite").path)
    project = try catalog.createProject(name: "Bench").id
    key = try catalog.createKey(project: project, kind: .ingest, label: "bench").plaintext
    _ = try catalog.adoptKey(project: project, kind: .amplitude, value: amplitudeKey)
    app = try catalog.addPinpointApp(project: project).id
    awsKey = try catalog.createAWSKey(project: project)
    var settings = IngestLog.Settings()
    settings.retention.keepsLoadedSeconds = 0
    log = try IngestLog(
      folder: folder.appendingPathComponent("log").path,
      settings: settings,
      keepsItself: false
    )
    var router = Router()
    var ingest = IngestSettings()
    // All requests of a load are one device's: what it sends is counted, and never too much.
    ingest.maxUploadsPerSecond = 1_000_000_000
    try IngestRoutes(
      catalog: catalog,
      log: log,
      state: StateStore(path: ":memory:"),
      endpoints: EndpointStore(
        path: folder.appendingPathComponent("endpoints.sqlite").path,
        nowMs: WallClock.milliseconds
      ),
      settings: ingest
    ).install(in: &router)
    server = try HTTPServer(port: 0, router: router)
    try server.start()
  }

  /// A Pinpoint request, signed now; the signature is good for 15 minutes.
  func putEvents(_ body: [UInt8]) -> Wrk.Load {
    signed(
      "mobiletargeting",
      path: "/v1/apps/\(app)/events",
      ["content-type": "application/json"],
      body
    )
  }

  /// A request of an AWS client, signed now.
  func signed(
    _ service: String,
    path: String,
    _ headers: [String: String],
    _ body: [UInt8]
  ) -> Wrk.Load {
    let signer = RequestSigner(
      accessKeyID: awsKey.key.value ?? "",
      secret: awsKey.plaintext,
      service: service
    )
    var fields = headers
    // Without its port, as the SDK for iOS signs it; wrk says the host itself.
    fields["host"] = "127.0.0.1"
    let signed = signer.signed(path: path, fields, body: body, atMs: WallClock.milliseconds())
    var load = Wrk.Load(path: path, body: body)
    load.headers = Dictionary(
      uniqueKeysWithValues: signed.filter { $0.name != "host" }.map { ($0.name, $0.value) }
    )
    return load
  }

  func stop() {
    server.stop()
    log.close()
  }

  /// Removes what was logged so far, so that the disk does not fill.
  func forget() {
    log.markLoaded(upTo: log.durableEnd)
    log.maintain(atMs: 0)
  }

  /// CPU seconds of this process so far; programs it started are not in it.
  static func cpuSeconds() -> Double {
    #if canImport(Glibc)
    let whole = __rusage_who_t(RUSAGE_SELF.rawValue)
    #else
    let whole = RUSAGE_SELF
    #endif
    var usage = rusage()
    getrusage(whole, &usage)
    return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
      + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
  }
}

/// Ports for programs that cannot choose one themselves.
enum FreePort {
  /// One that was free a moment ago.
  static func find() throws -> Int {
    let probe = try HTTPServer(port: 0, router: Router())
    defer { probe.stop() }
    return probe.port
  }
}

/// Compression for the load.
enum Gzip {
  /// The bytes as gzip makes them by default.
  static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Program.path("gzip"))
    process.arguments = ["-c", "-n"]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // Small enough for the pipe, so nobody waits for anybody.
    input.fileHandleForWriting.write(Data(bytes))
    try input.fileHandleForWriting.close()
    let compressed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(compressed)
  }
}
