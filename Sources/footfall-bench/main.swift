import Foundation

// footfall-bench NAME… [--json]: runs benchmarks by name, or all of them; --list names them.

/// Every benchmark has a file of its own and a line here.
let benchmarks: [Benchmark] = [
  .journal,
  .uploadWait,
  .track,
  .simpleDataLogs,
  .phase,
  .written,
  .delivery,
  .steady,
  .backlog,
  .idle,
  .encode,
  .pipeline,
  .start,
  .wireSize,
  .amplitude,
  .pinpoint,
  .kinesis,
]

let arguments = CommandLine.arguments.dropFirst()
let names = arguments.filter { !$0.hasPrefix("--") }
let isJSON = arguments.contains("--json")
let unknown =
  arguments.first { $0.hasPrefix("--") && !["--json", "--list"].contains($0) }
  ?? names.first { name in !benchmarks.contains { $0.name == name } }

if arguments.first == BacklogBench.childArgument, let folder = names.first {
  try BacklogBench.child(folder)
} else if let unknown {
  // Not a run of everything, which takes minutes.
  print("footfall-bench does not know \(unknown). Options: --json, --list. Benchmarks:")
  for benchmark in benchmarks { print("  \(benchmark.name)") }
  exit(2)
} else if arguments.contains("--list") {
  for benchmark in benchmarks { print("\(benchmark.name): \(benchmark.summary)") }
} else {
  for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
    for measurement in try benchmark.run() {
      print(isJSON ? measurement.json : measurement.text)
    }
  }
}
