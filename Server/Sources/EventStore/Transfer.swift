import FootfallSystem

/// The form of a file with events.
public enum TransferFormat: String, Sendable, Hashable, CaseIterable, Codable {
  /// A JSON object on each line.
  case ndjson
  /// Comma-separated values with a line of names.
  case csv
  /// Apache Parquet.
  case parquet
  /// The lines of an Amplitude export archive; for reading only.
  case amplitude
}

/// Which events go into a file.
public struct ExportRequest: Sendable, Hashable {
  /// The project's number.
  public var project: UInt32
  /// The file's form.
  public var format: TransferFormat
  /// Only these; times are corrected ones.
  public var conditions = EventConditions()
  /// Only events of this user or device.
  public var person: String?

  /// All events of a project.
  public init(project: UInt32, format: TransferFormat) {
    self.project = project
    self.format = format
  }
}

/// What became of the events of a file.
public struct ImportResult: Sendable, Hashable {
  /// Events that are stored now and were not before.
  public var stored = 0
  /// Events the store had already.
  public var duplicates = 0
  /// Events left out because they had been erased.
  public var erased = 0
  /// Lines that are no event: without a name or a time.
  public var unreadable = 0

  /// Lines the file has, once that is known.
  public var lines: Int?

  /// A result in which nothing happened.
  public init() {}

  /// How many lines were read.
  public var total: Int { stored + duplicates + erased + unreadable }
}

/// How far a transfer is, for whoever waits for it; any thread.
public final class TransferProgress: Sendable {
  private struct State {
    var done: Double?
    var ask: (@Sendable () -> Double?)?
  }

  private let state = Lock(State())

  /// Progress that is not known yet.
  public init() {}

  /// The part that is done, from 0 to 1; nil while it is not known.
  public var fraction: Double? {
    // Under the lock, so that whoever is asked is still there.
    state.withLock { state in
      if let ask = state.ask { state.done = ask() ?? state.done }
      return state.done
    }
  }

  /// Sets the part that is done.
  public func note(_ fraction: Double) {
    state.withLock { $0.done = min(1, max(0, fraction)) }
  }

  /// Whom to ask while a statement runs; nil when it is over.
  ///
  /// For stores. It must be short and must not call this.
  public func ask(_ whom: (@Sendable () -> Double?)?) {
    state.withLock { $0.ask = whom }
  }
}
