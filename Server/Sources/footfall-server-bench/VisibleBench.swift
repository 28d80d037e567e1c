import Catalog
import DuckDBStore
import EventStore
import FootfallSystem
import Foundation
import HTTPServing
import Ingest
import IngestLog
import Loader

/// Measures the whole way from a request to the answer of a query: HTTP, log, loader, DuckDB and the
/// clients in one process.
enum VisibleBench {
  static let benchmark = Benchmark(name: "visible") {
    let folder = try BenchFolder("visible")
    let server = try VisibleServer(folder: folder.path)
    try sustained(server)
    try lone(server)
    try server.stop()
    try folder.remove()
  }

  private static let startMs = Int64(Date().timeIntervalSince1970 * 1_000)

  /// 32 connections send as fast as they are answered; over when the last event is counted.
  private static func sustained(_ server: VisibleServer) throws {
    var events = BenchEvents(startMs: startMs)
    let requests = (0..<16_000).map { _ in server.request(events.json()) }
    let next = Lock(0)
    let failures = Lock<[String]>([])
    let start = MonotonicTime.now()
    let cpu = BenchClock.cpuSeconds()
    let clients = try (0..<32).map { _ in
      try SystemThread(name: "client") {
        do {
          let connection = try BenchConnection(port: server.port)
          while true {
            let number = next.withLock { next in
              defer { next += 1 }
              return next
            }
            guard number < requests.count else { return }
            try connection.send(requests[number])
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    for client in clients { client.join() }
    let answered = MonotonicTime.now()
    if let failure = failures.withLock({ $0.first }) { throw BenchFailure(description: failure) }
    try server.waitUntilLoaded()
    let count = try server.count()
    let end = MonotonicTime.now()
    let spent = BenchClock.cpuSeconds() - cpu
    guard count == events.number else {
      throw BenchFailure(description: "\(count) events are visible, \(events.number) were sent.")
    }
    let seconds = end.seconds(since: start)
    BenchResult(
      id: "visible-rate",
      what: "request → visible to a query, sustained",
      measured: (Double(count) / seconds).rounded(),
      unit: "events/s",
      bar: ">= 100000",
      detail: """
        \(count) events over HTTP in \(rounded(seconds)) s, the last visible \
        \(Int(end.seconds(since: answered) * 1_000)) ms after its answer; \
        \(rounded(spent / seconds)) cores, the clients included
        """
    ).print()
  }

  /// One request at a time on an idle server, each until a query counts it.
  private static func lone(_ server: VisibleServer) throws {
    var events = BenchEvents(startMs: startMs)
    let connection = try BenchConnection(port: server.port)
    var before = try server.count()
    let delays = try (0..<40).map { _ in
      let request = server.request(events.json())
      // The loader has come to rest, as on an idle server.
      try server.waitUntilIdle()
      let start = MonotonicTime.now()
      try connection.send(request)
      while try server.count() == before {}
      before += BenchEvents.eventsPerRequest
      return MonotonicTime.now().seconds(since: start) * 1_000
    }.sorted()
    BenchResult(
      id: "visible-lone",
      what: "request → visible to a query, one on an idle server",
      measured: rounded(delays[delays.count / 2]),
      unit: "ms",
      detail: "p50; longest \(rounded(delays[delays.count - 1])) ms of \(delays.count)"
    ).print()
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

/// The server's parts from the socket to the store.
private final class VisibleServer: Sendable {
  let port: Int
  private let key: String
  private let log: IngestLog
  private let store: DuckDBEventStore
  private let loader: Loader
  private let server: HTTPServer

  init(folder: String) throws {
    let catalog = try Catalog(path: folder + "/catalog.sqlite")
    let project = try catalog.createProject(name: "Bench")
    key = try catalog.createKey(project: project.id, kind: .ingest, label: "bench").plaintext
    log = try IngestLog(folder: folder + "/log")
    store = try DuckDBEventStore(path: folder + "/events.duckdb", library: BenchLibrary.path())
    loader = Loader(
      log: log,
      store: store,
      feed: LiveFeed(),
      poisonFolder: PoisonFolder(path: folder + "/poison"),
      report: { say("loader: \($0)") }
    )
    var router = Router()
    try IngestRoutes(catalog: catalog, log: log, state: StateStore(path: ":memory:"))
      .install(in: &router)
    server = try HTTPServer(port: 0, router: router)
    port = server.port
    try loader.start()
    try server.start()
  }

  /// The bytes of a request with this body.
  func request(_ body: [UInt8]) -> [UInt8] {
    let head = """
      POST /v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer \(key)\r\n\
      Content-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n
      """
    return Array(head.utf8) + body
  }

  func count() throws -> Int {
    let rows = try store.rows(SQL("SELECT count(*) FROM events"))
    return Int(try rows.first?.integer(0) ?? 0)
  }

  func waitUntilLoaded() throws {
    guard loader.waitUntilLoaded(upTo: log.durableEnd, timeoutSeconds: 120) else {
      throw BenchFailure(description: "The loader does not catch up: \(loader.status)")
    }
  }

  /// Returns a moment after the loader's last load, when it would load the next event at once.
  func waitUntilIdle() throws {
    try waitUntilLoaded()
    Thread.sleep(forTimeInterval: 0.3)
  }

  func stop() throws {
    server.stop()
    loader.stop()
    store.close()
    log.close()
  }
}

/// One kept-open connection to the server, used by one thread.
private final class BenchConnection {
  private let socket: Int32
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  init(port: Int) throws {
    #if canImport(Glibc)
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw BenchFailure(description: "No connection: errno \(errno)") }
  }

  deinit { close(socket) }

  /// Sends a request and reads its answer, again while the server asks to wait.
  func send(_ request: [UInt8]) throws {
    while true {
      let status = try exchange(request)
      if status == 202 { return }
      guard status == 429 || status == 503 else {
        throw BenchFailure(description: "The server answered \(status).")
      }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }

  private func exchange(_ request: [UInt8]) throws -> Int {
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      guard count > 0 else { throw BenchFailure(description: "Not sent: errno \(errno)") }
      sent += count
    }
    var answer: [UInt8] = []
    while true {
      let count = read(socket, &buffer, buffer.count)
      guard count > 0 else { throw BenchFailure(description: "No answer: errno \(errno)") }
      answer += buffer[..<count]
      if let status = Self.status(ofWhole: answer) { return status }
    }
  }

  /// The status once headers and body are there.
  private static func status(ofWhole answer: [UInt8]) -> Int? {
    let text = String(decoding: answer, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { return nil }
    let head = text[..<end.lowerBound].lowercased()
    guard let field = head.range(of: "content-length: "),
      let length = Int(head[field.upperBound...].prefix { $0.isNumber }),
      text[end.upperBound...].utf8.count >= length
    else { return nil }
    return Int(head.split(separator: " ").dropFirst().first ?? "")
  }
}
