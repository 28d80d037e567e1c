import FootfallJournal

/// The log ends before what the store has loaded of it: its folder was replaced by an older copy.
///
/// Going on would pass over whatever is written next, so nothing is loaded until that is mended.
struct LogBehindStore: Error, CustomStringConvertible {
  let position: JournalPosition
  let end: JournalPosition

  var description: String {
    """
    The store has loaded the ingest log up to \(position), but the log ends at \(end): its folder was \
    replaced by an older copy. Stop the server and move the log's folder away; a new one is started, \
    and the store has everything of the old one.
    """
  }
}
