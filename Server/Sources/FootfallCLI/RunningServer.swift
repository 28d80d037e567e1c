import Catalog
import EventStore
import FootfallSystem
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
      return .running(try RunningServer(arguments, process: pid))
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
  /// Shows that it is alive while it has jobs.
  let pulse: ServerPulse
  /// How long it may be silent.
  var patience = JobWait.Patience()

  init(catalog: Catalog, process: Int32, pulse: ServerPulse) {
    self.catalog = catalog
    self.process = process
    self.pulse = pulse
  }

  /// The server that runs on the folder which the arguments name.
  init(_ arguments: Arguments, process: Int32) throws {
    self.init(
      catalog: try CatalogueCommand.open(arguments),
      process: process,
      pulse: CatalogueCommand.folder(arguments).pulse
    )
  }

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
    var wait = JobWait(patience)
    while !job.state.isOver {
      let now = MonotonicTime.awake()
      switch wait.look(isProcessThere: isProcessThere, pulse: pulse.last(), at: now) {
      case .wait: break
      case .ended: throw JobProblem.serverEnded(job.id, unfinished)
      case .silent(let seconds): throw JobProblem.serverSilent(job.id, seconds: seconds)
      }
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

  /// Nil where its process is not known.
  private var isProcessThere: Bool? {
    process == 0 ? nil : kill(process, 0) == 0 || errno == EPERM
  }
}

/// Why a job that the command line waited for came to nothing.
enum JobProblem: Error, CustomStringConvertible {
  case failed(Int64, String)
  case cancelled(Int64)
  /// With what is the case now and what to do.
  case serverEnded(Int64, String)
  /// It is there, or may be, but does nothing.
  case serverSilent(Int64, seconds: Int)

  var description: String {
    switch self {
    case .failed(let id, let reason): "Job \(id) failed: \(reason)"
    case .cancelled(let id): "Job \(id) was cancelled."
    case .serverEnded(let id, let unfinished):
      "The server ended before job \(id) was done. \(unfinished)"
    case .serverSilent(let id, let seconds):
      "The server has shown no sign of life for \(seconds) s, and job \(id) is not done. It may still do it: "
        + "“footfall job list” tells. If it does not, look at the server's log, and start it again; it then goes on "
        + "with the job."
    }
  }
}
