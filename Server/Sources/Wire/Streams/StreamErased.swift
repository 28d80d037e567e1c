public import EventRecord

/// What must not be read from streams any more, though the log has it until it is swept.
///
/// Whose a stream's record is, is told by the event that it is; one that is none stays.
public struct StreamErased: Sendable {
  /// Whether an event was erased.
  public typealias IsErased = @Sendable (EventView, RecordHeader) -> Bool

  private let isErased: IsErased?

  /// Leaves out what belongs to an erased event; nil leaves out nothing.
  public init(_ isErased: IsErased? = nil) {
    self.isErased = isErased
  }

  /// Hands on a record of the log without what was erased; its length and places are what they were.
  func leavingOut<Failure: Error>(
    of record: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    guard let isErased, let rest = RecordEraser.erase(record, where: isErased) else {
      return try body(record)
    }
    let result = rest.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try body(bytes) }
    }
    try result.get()
  }
}
