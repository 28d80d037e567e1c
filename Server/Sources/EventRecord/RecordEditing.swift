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

  /// Puts a text as the first member into the description of the client, which holds for all events.
  ///
  /// Being first, it can be told from a member of that name that the client sent.
  public static func addToClient(_ name: StaticString, _ value: String, to record: inout [UInt8]) {
    guard record.first == RecordFormat.version, let events = eventsStart(record) else { return }
    let start = RecordFormat.headerBytes
    let isEmpty = events - start <= 2
    let member = Array(clientMember(name, value).utf8)
    let context = isEmpty ? member + [UInt8(ascii: "}")] : member + [UInt8(ascii: ",")]
    // What comes after an opening brace stays.
    record.replaceSubrange(start..<(isEmpty ? events : start + 1), with: context)
    let count = UInt32(clamping: events - start - (isEmpty ? events - start : 1) + context.count)
    for byte in 0..<4 {
      record[RecordFormat.countOffset + 4 + byte] = UInt8(
        truncatingIfNeeded: count >> UInt32(8 * byte)
      )
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
