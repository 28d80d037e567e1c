import Catalog
import Foundation

extension Command {
  /// `footfall job`: what the server was asked to do.
  static let job = Command(
    name: "job",
    summary: "List and cancel what a running server was asked to do",
    usage: """
      Usage: footfall job list [--limit N] [--data DIR]
             footfall job cancel ID [--data DIR]

      Erasing, exporting, importing and backups that a running server does, one after the other: each with
      its state and what it came to, the last first. cancel takes one back that waits, or stops one under
      way; an erasure that began goes on to its end, and what an import added stays.
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "list": { words in
          let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "limit"]))
          let limit = try arguments.integer("limit", in: 1...1_000, default: 50)
          for job in try CatalogueCommand.open(arguments).jobs(.all, limit: limit) {
            terminal.out(EventLine.printable(text(job)))
          }
        },
        "cancel": { words in
          let arguments = try Arguments(
            words,
            shape: Arguments.Shape(options: ["data"], positional: 1...1, word: "ID")
          )
          guard let id = Int64(arguments.positional[0]) else {
            throw UsageError("ID is a job's number, not “\(arguments.positional[0])”.")
          }
          let catalog = try CatalogueCommand.open(arguments)
          try catalog.cancelJob(id, in: .all, by: .commandLine)
          let isOver = try catalog.job(id)?.state.isOver ?? true
          terminal.out("Job \(id) is \(isOver ? "cancelled" : "stopping").")
        },
      ]
    )
  }

  private static func text(_ job: Job) -> String {
    let asked = Date(timeIntervalSince1970: Double(job.askedAtMs) / 1_000).formatted(.iso8601)
    let progress = job.state == .running ? job.progress.map { " \($0 / 10) %" } ?? "" : ""
    let counts = job.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let outcome = job.problem ?? counts.joined(separator: ", ")
    return "\(job.id)  \(asked)  \(job.actor)  \(job.kind)  \(job.state.rawValue)\(progress)  "
      + "\(job.project.map { "project \($0)" } ?? "all data"), \(job.summary)  \(outcome)"
  }
}
