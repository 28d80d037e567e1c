/// Work that the server was asked to do and does by itself: to erase, to export, to import, to copy all
/// data.
///
/// It stays until the server has done it, also over a stop.
public struct Job: Sendable, Hashable, Identifiable {
  /// Where a job stands.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// It waits for its turn.
    case queued
    /// The server is at it.
    case running
    /// It is done.
    case done
    /// It was given up; `problem` says why.
    case failed
    /// Somebody cancelled it.
    case cancelled

    /// Whether nothing more will happen.
    public var isOver: Bool { self == .done || self == .failed || self == .cancelled }
  }

  /// Grows with every job.
  public let id: Int64
  /// What it does, in a word of whoever does it, such as `export`.
  public let kind: String
  /// The project it is about; nil where it is about all data.
  public let project: UInt32?
  /// All that has to be known to do it, in the form of whoever does it; empty once it is over, because it
  /// may name a person.
  public let document: String
  /// What it does, for people; names nobody.
  public let summary: String
  /// Who asked, see `Actor`.
  public let actor: String
  /// Where it stands.
  public let state: State
  /// When it was asked for, in milliseconds since 1970.
  public let askedAtMs: Int64
  /// When the server last began it, in milliseconds since 1970.
  public let startedAtMs: Int64?
  /// When it was over, in milliseconds since 1970.
  public let endedAtMs: Int64?
  /// How far it is, in thousandths; nil where that is not known.
  public let progress: Int?
  /// What it came to: numbers by name.
  public let counts: [String: Int]
  /// Why it was given up.
  public let problem: String?
  /// Whether it was asked to stop and has not yet.
  public let isStopping: Bool
}

extension Job {
  /// Who may ask for such a job may take it back.
  public var permission: Permission {
    switch kind {
    case "export": .exportEvents
    case "import": .importEvents
    case "backup": .operate
    default: .changeEvents
    }
  }
}

/// Which jobs are meant.
public enum JobScope: Sendable, Hashable {
  /// All.
  case all
  /// Those of a project.
  case project(UInt32)
  /// Those that are about all data.
  case server

  /// Whether a job is one of them.
  public func holds(_ job: Job) -> Bool {
    switch self {
    case .all: true
    case .project(let project): job.project == project
    case .server: job.project == nil
    }
  }
}
