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
]

let arguments = CommandLine.arguments.dropFirst()
let names = arguments.filter { !$0.hasPrefix("--") }
let isJSON = arguments.contains("--json")

if arguments.first == BacklogBench.childArgument, let folder = names.first {
  try BacklogBench.child(folder)
} else if arguments.contains("--list") {
  for benchmark in benchmarks { print("\(benchmark.name): \(benchmark.summary)") }
} else if let unknown = names.first(where: { name in !benchmarks.contains { $0.name == name } }) {
  print("There is no benchmark \(unknown). Known: \(benchmarks.map(\.name)).")
} else {
  for benchmark in benchmarks where names.isEmpty || names.contains(benchmark.name) {
    for measurement in try benchmark.run() {
      print(isJSON ? measurement.json : measurement.text)
    }
  }
}
