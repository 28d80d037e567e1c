import EventRecord

/// The columns of the table `events` that make up a `StoredEvent`, in the order it is read.
public enum EventColumns {
  /// The columns' names for a SELECT, separated by commas.
  public static let list = """
    event_key, project_id, kind, is_test, name, ts, corrected_at, received_at, seq, event_id, \
    device_id, user_id, session_id, props, groups, ops, context, client
    """

  /// The event in a row that was selected with `list`.
  ///
  /// - Throws: `StoreError.unexpectedValue` when the row was selected otherwise.
  public static func event(in row: Row) throws(StoreError) -> StoredEvent {
    StoredEvent(
      key: try row.key(0),
      project: UInt32(clamping: try row.integer(1)),
      kind: EventRecord.Kind(rawValue: UInt8(clamping: try row.integer(2))) ?? .event,
      isTest: try row.boolean(3),
      name: try row.text(4),
      timestampMs: try row.time(5),
      correctedMs: try row.time(6),
      receivedMs: try row.time(7),
      sequence: try row.integer(8),
      id: try row.text(9),
      deviceID: try row.text(10),
      userID: try row.text(11),
      sessionID: try row.text(12),
      properties: try row.text(13),
      groups: try row.text(14),
      operations: try row.text(15),
      context: try row.text(16),
      client: try row.text(17)
    )
  }
}
