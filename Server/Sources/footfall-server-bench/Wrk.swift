import Foundation

/// The load: wrk with 2 threads and 64 connections.
struct Wrk {
  /// What it saw.
  struct Report {
    var requestsPerSecond = 0.0
    var requests = 0.0
    var p50Ms = 0.0
    var p99Ms = 0.0
    var unexpected = 0
  }

  /// What it sends, again and again.
  struct Load {
    var path: String
    var body: [UInt8]
    var headers = ["Content-Type": "application/json"]

    /// Footfall's own protocol.
    static func native(_ body: [UInt8], _ key: String) -> Load {
      var load = Load(path: "/v1/events", body: body)
      load.headers["Authorization"] = "Bearer \(key)"
      load.headers["Footfall-Sent-At"] = "2026-12-01T09:30:00.123Z"
      if body.starts(with: [0x1f, 0x8b]) { load.headers["Content-Encoding"] = "gzip" }
      return load
    }
  }

  private let script: URL
  private let path: String

  /// Makes ready to send a load; its files get the name.
  init(folder: URL, name: String, load: Load) throws {
    path = load.path
    let file = folder.appendingPathComponent("\(name).body")
    try Data(load.body).write(to: file)
    script = folder.appendingPathComponent("\(name).lua")
    var text = """
      local file = io.open("\(file.path)", "rb")
      wrk.method = "POST"
      wrk.body = file:read("*a")

      """
    for (name, value) in load.headers { text += "wrk.headers[\"\(name)\"] = \"\(value)\"\n" }
    try Data(text.utf8).write(to: script)
  }

  /// Runs for some seconds.
  func run(port: Int, seconds: Int) throws -> Report {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try Program.path("wrk"))
    process.arguments = [
      "-t2", "-c64", "-d\(seconds)s", "--latency", "-s", script.path,
      "http://127.0.0.1:\(port)\(path)",
    ]
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Self.report(text)
  }

  private static func report(_ text: String) -> Report {
    var report = Report()
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let first = words.first, let last = words.last else { continue }
      switch first {
      case "Requests/sec:": report.requestsPerSecond = Double(last) ?? 0
      case "50%": report.p50Ms = milliseconds(last)
      case "99%": report.p99Ms = milliseconds(last)
      case "Non-2xx": report.unexpected += Int(last) ?? 0
      case "Socket":
        report.unexpected += words.compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +)
      default:
        if words.count > 2, words[1] == "requests" { report.requests = Double(first) ?? 0 }
      }
    }
    return report
  }

  private static func milliseconds(_ text: Substring) -> Double {
    let number = Double(text.filter { $0.isNumber || $0 == "." }) ?? 0
    if text.hasSuffix("us") { return number / 1_000 }
    return text.hasSuffix("ms") ? number : number * 1_000
  }
}
