import Footfall
import FootfallPlatform
import FootfallSystem
import Foundation

extension Benchmark {
  /// What a full backlog costs: memory while it grows, memory while it is tried, and the relaunch.
  static let backlog = Benchmark(
    name: "backlog",
    summary: "memory with 100,000 and 200,000 events unsent, and the relaunch with them"
  ) {
    let scratch = try BenchFolder("backlog")
    defer { scratch.remove() }
    // A process of its own: what other benchmarks left in memory would hide what this one takes.
    let numbers = try BacklogBench.inOwnProcess(scratch.path)
    return [
      Measurement(name: "memory.100000_queued", value: numbers[0], unit: "MB"),
      Measurement(name: "memory.200000_tried_20_times", value: numbers[1], unit: "MB"),
      Measurement(name: "relaunch.full_cap", value: numbers[2], unit: "ms"),
    ]
  }
}

enum BacklogBench {
  /// The argument that makes this program measure and print three numbers.
  static let childArgument = "--backlog-child"

  static func inOwnProcess(_ folder: String) throws -> [Double] {
    #if os(Linux) || os(macOS)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [childArgument, folder]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let numbers = String(decoding: text, as: UTF8.self).split(separator: " ")
      .compactMap { Double($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
    return numbers.count == 3 ? numbers : [.infinity, .infinity, .infinity]
    #else
    return [.infinity, .infinity, .infinity]
    #endif
  }

  /// Measures in this process and prints the numbers.
  static func child(_ folder: String) throws {
    // The null client and a first client, so that what any program with a client has is there.
    let null = NullClient()
    for number in 0..<1_000 { TrackBench.call(number) { null.track($0, $1) } }
    let warm = try TrackBench.client(in: folder + "/warm", server: UnreachableTransport())
    for number in 0..<1_000 { TrackBench.call(number) { warm.track($0, $1) } }
    TrackBench.drain(warm)
    warm.shutdown(limitSeconds: 0)

    let start = residentMegabytes()
    let client = try TrackBench.client(in: folder + "/full", server: UnreachableTransport())
    fill(client, 100_000)
    let queued = residentMegabytes() - start
    fill(client, 100_000)
    let before = residentMegabytes()
    for _ in 0..<20 { waitForFlush(client) }
    let tried = residentMegabytes() - before
    client.shutdown(limitSeconds: 0)

    var times: [Double] = []
    for _ in 0..<5 {
      let begin = MonotonicTime.now()
      let again = try TrackBench.client(in: folder + "/full", server: UnreachableTransport())
      while !again.diagnostics.isReady { usleep(50) }
      times.append(MonotonicTime.now().seconds(since: begin) * 1_000)
      again.shutdown(limitSeconds: 0)
    }
    print(queued, tried, times.median)
  }

  /// Tracks in portions that the client has time to write.
  private static func fill(_ client: FootfallClient, _ events: Int) {
    for portion in 0..<events / 1_000 {
      for number in 0..<1_000 { TrackBench.call(portion * 1_000 + number) { client.track($0, $1) } }
      TrackBench.drain(client)
    }
  }

  private static func waitForFlush(_ client: FootfallClient) {
    let isDone = Monitor(false)
    Task.detached {
      await client.flush()
      isDone.change { $0 = true }
    }
    _ = isDone.wait { $0 ? true : nil }
  }

  /// The resident memory of the process.
  private static func residentMegabytes() -> Double {
    do {
      let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
      let pages = text.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0
      return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6
    } catch {
      return .infinity
    }
  }
}
