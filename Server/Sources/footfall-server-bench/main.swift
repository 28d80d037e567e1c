import Foundation

/// The server's benchmarks: `footfall-server-bench [NAME]…`.
///
/// Runs the benchmarks that have one of the names in their own; without a name all but those that
/// need programs from outside (see `Benchmarks/README.md` for the lines that are printed).
let benchmarks: [Benchmark] = [
  IngestBench.benchmark,
  RequestBench.benchmark,
  ScanBench.benchmark,
  LoadBench.benchmark,
  VisibleBench.benchmark,
  InsightBench.benchmark,
  QuestionBench.benchmark,
  FolderBench.benchmark,
  MemoryBench.benchmark,
]

let names = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("--") }
let chosen = benchmarks.filter { benchmark in
  names.isEmpty ? !benchmark.needsOtherPrograms : names.contains { benchmark.name.contains($0) }
}
for benchmark in chosen {
  do {
    try benchmark.run()
  } catch {
    print("error: \(benchmark.name): \(error)")
    exit(1)
  }
}
