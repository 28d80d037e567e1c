import EventRecord
import Wire

/// Reads a record that a decoder has let through, and checks the JSON in it.
func checkRecord(_ record: [UInt8], events: Int) {
  record.withUnsafeBytes { bytes in
    do {
      var reader = try RecordReader(bytes)
      var count = 0
      while let event = try reader.next() {
        for text in [event.properties, event.groups, event.operations, event.context]
        where !text.isEmpty { precondition(JSONCheck.isValid(text)) }
        count += 1
      }
      precondition(count == events)
    } catch {
      preconditionFailure("A record that was just written: \(error)")
    }
  }
}
