/// The form of a file with events.
public enum TransferFormat: String, Sendable, Hashable, CaseIterable {
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
  /// Only events of this name.
  public var name: String?
  /// Only events of this user or device.
  public var person: String?
  /// Only events from this moment on, by corrected time, in milliseconds since 1970.
  public var fromMs: Int64?
  /// Only events before this moment, by corrected time, in milliseconds since 1970.
  public var toMs: Int64?

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

  /// A result in which nothing happened.
  public init() {}

  /// How many lines were read.
  public var total: Int { stored + duplicates + erased + unreadable }
}
