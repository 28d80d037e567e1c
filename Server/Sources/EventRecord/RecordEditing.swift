/// Changes that a collector makes to a whole record after its codec wrote it, whatever the protocol.
public enum RecordEditing {
  /// Marks every event as coming from a debug build or an internal device.
  ///
  /// Bytes that are no record of this version are left as they are.
  public static func markTest(_ record: inout [UInt8]) {
    guard record.first == RecordFormat.version, var offset = eventsStart(record) else { return }
    while offset + RecordFormat.eventBytes <= record.count {
      record[offset + 5] |= EventRecord.Flags.test.rawValue
      offset += 4 + integer(record, at: offset)
    }
  }

  /// How a client's description begins that was given such a member, without what follows the value.
  public static func clientMember(_ name: StaticString, _ value: String) -> String {
    "{\"\(name)\":" + JSONQuoting.quoted(value)
  }

  private static func eventsStart(_ record: [UInt8]) -> Int? {
    guard record.count >= RecordFormat.headerBytes else { return nil }
    let start = RecordFormat.headerBytes + integer(record, at: RecordFormat.countOffset + 4)
    return start <= record.count ? start : nil
  }

  private static func integer(_ record: [UInt8], at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(record[offset + $1]) << (8 * $1) }
  }
}
