/// A file whose events are to be added.
public struct ImportRequest: Sendable {
  /// The file.
  public var path: String
  /// Its form.
  public var format: TransferFormat
  /// The project the events go to.
  public var project: UInt32
  /// What must not be stored again.
  public var erased = EraseList()
  /// The latest time that is believed, in milliseconds since 1970; none unless told.
  public var latestMs = Int64.max

  /// Whose import it is; nil for one that begins anew.
  ///
  /// One that was interrupted and is asked for again under the same mark counts what it added before as
  /// added. One such import at a time.
  public var mark: String?

  /// All of a file.
  public init(_ path: String, _ format: TransferFormat, project: UInt32) {
    self.path = path
    self.format = format
    self.project = project
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
  /// Lines that are no event, each of which was told of as an `ImportRefusal`.
  public var unreadable = 0

  /// The part of the file that was read, from 0 to 1; nil where that is not known.
  public var fraction: Double?

  /// A result in which nothing happened.
  public init() {}

  /// How many lines were read.
  public var total: Int { stored + duplicates + erased + unreadable }
}

/// A line that was not imported, and why.
public struct ImportRefusal: Sendable, Hashable, CustomStringConvertible {
  /// The file within an archive; nil for a file that is none.
  public var file: String?
  /// The line's number in its file, from 1; of a Parquet file the row's.
  public var line: Int
  /// Why, in some words that say nothing of the event.
  public var reason: String

  /// A line and what is wrong with it.
  public init(file: String? = nil, line: Int, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  /// Such as `line 7: it has no name`.
  public var description: String {
    "\(file.map { "\($0), " } ?? "")line \(line): \(reason)"
  }
}

/// Why nothing of a file can be imported.
public struct ImportProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// What it is, and what to do.
  public let description: String

  /// A plain sentence or two.
  public init(_ description: String) { self.description = description }
}
