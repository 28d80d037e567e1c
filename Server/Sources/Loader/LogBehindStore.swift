public import FootfallJournal

/// The log ends before what the store has loaded of it: its folder was replaced by an older copy.
///
/// Going on would pass over whatever is written next, so nothing is loaded until that is mended.
public struct LogBehindStore: Error, CustomStringConvertible {
  /// What the store has loaded.
  public let position: JournalPosition
  /// Where the log ends.
  public let end: JournalPosition

  /// A log that ends before that position.
  public init(position: JournalPosition, end: JournalPosition) {
    self.position = position
    self.end = end
  }

  /// What happened and what to do.
  public var description: String {
    """
    The store has loaded the ingest log up to \(position), but the log ends at \(end): its folder was \
    replaced by an older copy. Stop the server and move the log's folder away; a new one is started, \
    and the store has everything of the old one.
    """
  }
}
