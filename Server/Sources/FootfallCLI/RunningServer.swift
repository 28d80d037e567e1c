import Catalog
import EventStore
import Foundation
import ServerApp

/// Where a command works: on the data of a server that does not run, or through one that does.
enum Workplace {
  case stopped(StoppedServer)
  case running(RunningServer)

  /// Opens the data folder; while a server has it, that one is asked.
  static func open(_ arguments: Arguments) throws -> Workplace {
    let settings = try Serving.settings(arguments)
    do {
      return .stopped(try StoppedServer(settings))
    } catch {
      guard case .held(_, let pid) = error else { throw error }
      return .running(RunningServer(catalog: try CatalogueCommand.open(arguments), process: pid))
    }
  }
}

/// A server that runs on the data folder, asked through the catalogue.
struct RunningServer {
  /// Seconds between two looks at a job.
  private static let lookSeconds = 0.1

  let catalog: Catalog
  /// Its process; 0 where that is not known.
  let process: Int32

  /// Asks for a job and waits until it is over.
  ///
  /// - Parameters:
  ///   - work: what is to be done.
  ///   - project: the project; nil for all data.
  ///   - unfinished: what is the case and what to do when the server ends before the job does, a sentence or two.
  ///   - terminal: where the person is told.
  /// - Returns: the job, which is done.
  /// - Throws: `JobProblem` when it is not, or what the catalogue says.
  func perform(
    _ work: StoreWork,
    project: UInt32?,
    unfinished: String,
    _ terminal: Terminal
  ) throws -> Job {
    var job = try catalog.addJob(
      kind: work.kind,
      project: project,
      document: try work.encoded(),
      summary: work.summary,
      by: .commandLine
    )
    terminal.error(
      "The server that runs does it, as job \(job.id); “footfall job cancel \(job.id)” takes it back."
    )
    var shown = 0
    while !job.state.isOver {
      guard isRunning else { throw JobProblem.serverEnded(job.id, unfinished) }
      Thread.sleep(forTimeInterval: Self.lookSeconds)
      guard let now = try catalog.job(job.id) else { throw CatalogError.unknownJob(job.id) }
      job = now
      if let percent = job.progress.map({ $0 / 10 }), percent > shown, percent < 100 {
        shown = percent
        terminal.error("\(percent) % …")
      }
    }
    switch job.state {
    case .done: return job
    case .cancelled: throw JobProblem.cancelled(job.id)
    default: throw JobProblem.failed(job.id, job.problem ?? "no reason was given")
    }
  }

  private var isRunning: Bool { process == 0 || kill(process, 0) == 0 || errno == EPERM }
}

/// Why a job that the command line waited for came to nothing.
enum JobProblem: Error, CustomStringConvertible {
  case failed(Int64, String)
  case cancelled(Int64)
  /// With what is the case now and what to do.
  case serverEnded(Int64, String)

  var description: String {
    switch self {
    case .failed(let id, let reason): "Job \(id) failed: \(reason)"
    case .cancelled(let id): "Job \(id) was cancelled."
    case .serverEnded(let id, let unfinished):
      "The server ended before job \(id) was done. \(unfinished)"
    }
  }
}
