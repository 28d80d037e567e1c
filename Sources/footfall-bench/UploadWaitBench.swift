import Footfall
import FootfallSystem
import FootfallTesting
import Foundation

extension Benchmark {
  /// The processor's time that a whole client takes while the server keeps it waiting.
  static let uploadWait = Benchmark(
    name: "upload-wait",
    summary: "CPU of the process while one upload waits 5 s for its answer"
  ) {
    [
      Measurement(
        name: "upload.waiting_cpu",
        value: try UploadWaitBench.percentOfACore(waitSeconds: 5),
        unit: "% of a core"
      )
    ]
  }
}

enum UploadWaitBench {
  /// Uploads 50 events to a server that answers late, and measures the wait alone.
  static func percentOfACore(waitSeconds: Double) throws -> Double {
    let scratch = try BenchFolder("upload-wait")
    defer { scratch.remove() }
    let gate = Gate()
    let arrived = Gate()
    let server = try LoopbackServer { _ in
      arrived.open()
      return .held(gate, .status(202))
    }
    defer { server.stop() }
    defer { gate.open() }
    guard let endpoint = URL(string: server.url("")) else { return .infinity }
    var configuration = FootfallClient.Configuration(key: "ff_pub_bench", endpoint: endpoint)
    configuration.storage.folder = scratch.path
    let footfall = FootfallClient(configuration)
    for number in 0..<50 { footfall.track("Waited", ["number": .integer(number)]) }
    guard arrived.wait() else { return .infinity }

    let begin = (cpu: processSeconds(), clock: MonotonicTime.now())
    Thread.sleep(forTimeInterval: waitSeconds)
    let cpu = processSeconds() - begin.cpu
    let clock = MonotonicTime.now().seconds(since: begin.clock)
    gate.open()
    footfall.shutdown()
    return cpu / clock * 100
  }

  /// Seconds of processor time that all threads of this process have taken so far.
  static func processSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
