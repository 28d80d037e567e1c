extension Journal {
  /// The sizes a journal keeps to.
  public struct Configuration: Sendable, Hashable {
    /// A segment is sealed before it grows over this many bytes; 64 MiB unless changed.
    ///
    /// A single append, which is never divided, may still make it larger.
    public var maxSegmentBytes = 64 << 20

    /// The largest record that is taken, in bytes; 16 MiB unless changed, at most 1 GiB.
    public var maxPayloadBytes = 16 << 20

    /// Once this many bytes wait for a sync, an append syncs first; 16 MiB unless changed.
    ///
    /// They are kept in memory until then.
    public var maxUnsyncedBytes = 16 << 20

    /// Whether opening scans all segments for damage; otherwise only the last one.
    ///
    /// Reading reports damage anyway. Costs about a second for some gigabytes.
    public var scansAllSegments = false

    /// Whether the number of the last segment is also kept in a file of its own; false unless changed.
    ///
    /// A segment that somebody deletes is then missed at the next opening even when it was the last one,
    /// and its number is not given out again. Costs a small write for each segment.
    public var notesLastSegment = false

    /// The sizes of a server's log.
    public init() {}
  }
}
