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
  /// Comma-separated values for spreadsheet programs, in which a text that such a program would take for a
  /// formula has an apostrophe in front; for writing only, because that cannot be taken back.
  case spreadsheet

  /// What people call it.
  public var title: String {
    switch self {
    case .ndjson: "lines of JSON"
    case .csv: "CSV"
    case .parquet: "Parquet"
    case .amplitude: "an Amplitude export"
    case .spreadsheet: "CSV for spreadsheets"
    }
  }

  /// The forms that events are written in.
  public static let written: [TransferFormat] = [.ndjson, .csv, .parquet, .spreadsheet]
  /// The forms that events are read from.
  public static let read: [TransferFormat] = [.ndjson, .csv, .parquet, .amplitude]
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
  /// Only events that the server had within this time, in milliseconds since 1970; they are then in the
  /// order in which it had them.
  public var received: Range<Int64>?

  /// All events of a project.
  public init(project: UInt32, format: TransferFormat) {
    self.project = project
    self.format = format
  }
}

/// How far a transfer or a question is, for whoever waits for it; any thread.
public final class WorkProgress: Sendable {
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
