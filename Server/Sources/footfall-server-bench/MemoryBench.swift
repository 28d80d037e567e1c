import Catalog
import DuckDBStore
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import Ingest
import IngestLog
import Loader

/// The memory of a server under full load whose loader is kept behind on purpose, for 10 minutes.
///
/// `FOOTFALL_BENCH_SECONDS` makes it shorter. The log may hold 8 GiB; once it does, requests are turned away
/// until the loader has made room, which is part of what is measured.
enum MemoryBench {
  static let benchmark = Benchmark(name: "memory", needsOtherPrograms: true, run: run)

  private static let maxLogBytes: UInt64 = 8 << 30
  /// How long each batch is held up before it is loaded.
  fileprivate static let delaySeconds = 1.0

  static func run() throws {
    let told = ProcessInfo.processInfo.environment["FOOTFALL_BENCH_SECONDS"].flatMap { Int($0) }
    let seconds = max(30, told ?? 600)
    let folder = try BenchFolder("memory")
    defer {
      do { try folder.remove() } catch {
        say("the folder \(folder.path) could not be removed: \(error)")
      }
    }
    let server = try Server(folder: folder.path, maxLogBytes: maxLogBytes)
    let load = try FreshLoad(folder: folder.path, key: server.key)
    let process = try load.start(port: server.port, seconds: seconds)
    var samples: [Double] = []
    var behind: UInt64 = 0
    while process.isRunning {
      Thread.sleep(forTimeInterval: 0.5)
      samples.append(try residentMB())
      behind = max(behind, server.unloadedBytes)
    }
    let status = server.status
    try server.stop()
    guard process.terminationStatus == 0, samples.count > 30, behind > 64 << 20 else {
      throw BenchFailure(
        description:
          "no load: wrk ended with \(process.terminationStatus), \(behind) bytes were waiting"
      )
    }
    report(samples, seconds: seconds, behind: behind, status)
  }

  private static func report(
    _ samples: [Double],
    seconds: Int,
    behind: UInt64,
    _ status: LoaderStatus
  ) {
    let third = samples.count / 3
    let (middle, last) = (median(Array(samples[third..<2 * third])), median(samples.suffix(third)))
    BenchResult(
      id: "memory-peak",
      what: "memory at full load, the loader behind: peak",
      measured: samples.max() ?? 0,
      unit: "MB",
      bar: "<= 400",
      detail: String(
        format: "%d s; up to %.1f GB of the log waiting, %ld events loaded meanwhile",
        seconds,
        Double(behind) / 1e9,
        status.stored
      )
    ).print()
    BenchResult(
      id: "memory-growth",
      what: "memory at full load, the loader behind: last third",
      measured: last / middle,
      unit: "x the middle third",
      bar: "<= 1.1",
      detail: String(format: "%.0f MB against %.0f MB", last, middle)
    ).print()
  }

  /// What this process has in memory, in millions of bytes.
  private static func residentMB() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let words = line?.split(separator: " ").compactMap { Double($0) } ?? []
    guard let kilobytes = words.first else {
      throw BenchFailure(description: "the system does not say how much memory is used")
    }
    return kilobytes * 1_024 / 1e6
  }
}

/// The parts from the socket to the store, with a loader that waits before each batch.
private final class Server {
  let port: Int
  let key: String
  private let log: IngestLog
  private let store: DuckDBEventStore
  private let loader: Loader
  private let http: HTTPServer

  init(folder: String, maxLogBytes: UInt64) throws {
    let catalog = try Catalog(path: folder + "/catalog.sqlite")
    let project = try catalog.createProject(name: "Bench")
    key = try catalog.createKey(project: project.id, kind: .ingest, label: "bench").plaintext
    var settings = IngestLog.Settings()
    settings.retention.maxBytes = maxLogBytes
    settings.retention.keepsLoadedSeconds = 0
    log = try IngestLog(folder: folder + "/log", settings: settings)
    store = try DuckDBEventStore(path: folder + "/events.duckdb", library: BenchLibrary.path())
    loader = Loader(
      log: log,
      store: store,
      feed: LiveFeed(),
      poisonFolder: PoisonFolder(path: folder + "/poison"),
      erased: {
        Thread.sleep(forTimeInterval: MemoryBench.delaySeconds)
        return EraseList()
      },
      report: { say("loader: \($0)") }
    )
    var router = Router()
    try IngestRoutes(catalog: catalog, log: log, state: StateStore(path: ":memory:"))
      .install(in: &router)
    http = try HTTPServer(port: 0, router: router)
    port = http.port
    try loader.start()
    try http.start()
  }

  var unloadedBytes: UInt64 { log.status.unloadedBytes }
  var status: LoaderStatus { loader.status }

  func stop() throws {
    http.stop()
    loader.stop()
    store.close()
    log.close()
  }
}

/// wrk with bodies of which no two have an id in common.
private struct FreshLoad {
  private let script: String

  init(folder: String, key: String) throws {
    script = folder + "/fresh.lua"
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let time = String(format: "%012llx", now)
    let events = (0..<50).map { index in
      """
      {"id":"\(time.prefix(8))-\(time.suffix(4))-7\(String(format: "%03x", index))-8MARK","seq":\(index),\
      "name":"Song Played","ts":\(now + Int64(index)),"device_id":"3f2a9c1e-7b64-4d0f-9a58-0c1d2e3f4a5b",\
      "user_id":"user-MARK","session_id":1764581000000,"props":{"title":"Here Comes the Sun",\
      "duration_s":\(120 + index),"genres":["rock","pop"],"price":3.99,"screen":"Library/\(index % 11)"}}
      """
    }
    let body =
      #"{"client":{"library":"footfall-swift/1.0.0","platform":"iOS","app":"4.2.0"},"events":["#
      + events.joined(separator: ",") + "]}"
    try Data(body.utf8).write(to: URL(fileURLWithPath: folder + "/fresh.body"))
    let text = """
      local threads = 0
      function setup(thread)
        thread:set("number", threads)
        threads = threads + 1
      end
      function init(arguments)
        local file = io.open("\(folder)/fresh.body", "rb")
        local text = file:read("*a")
        pieces = {}
        for piece in (text .. "MARK"):gmatch("(.-)MARK") do pieces[#pieces + 1] = piece end
        count = 0
      end
      wrk.method = "POST"
      wrk.headers["Content-Type"] = "application/json"
      wrk.headers["Authorization"] = "Bearer \(key)"
      function request()
        count = count + 1
        local id = string.format("%x00-%012x", number, count)
        return wrk.format(nil, nil, nil, table.concat(pieces, id))
      end
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: script))
  }

  func start(port: Int, seconds: Int) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Program.path("wrk"))
    process.arguments = [
      "-t2", "-c64", "-d\(seconds)s", "-s", script, "http://127.0.0.1:\(port)/v1/events",
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }
}
