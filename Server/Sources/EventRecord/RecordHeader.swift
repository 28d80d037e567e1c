/// What a record in the ingest log says about the request as a whole.
public struct RecordHeader: Sendable, Hashable {
  /// The protocol a request came in by.
  public enum Source: UInt8, Sendable {
    /// `POST /v1/events`, from our SDK or from SimpleDataLogs.
    case native = 1
    /// Amplitude's HTTP V2 and Batch.
    case amplitude = 2
    /// Pinpoint's PutEvents and its operations on endpoints.
    case pinpoint = 3
    /// Phase's SDK API.
    case phase = 4
    /// Kinesis's `PutRecord` and `PutRecords`.
    case kinesis = 5
    /// Firehose's `PutRecord` and `PutRecordBatch`.
    case firehose = 6
  }

  /// The protocol the request came in by.
  public var source: Source
  /// The project's number.
  public var project: UInt32
  /// When the server had the request, in milliseconds since 1970 (UTC).
  public var receivedAtMs: Int64
  /// When the client says it sent the request, by its own clock, in milliseconds since 1970 (UTC).
  public var sentAtMs: Int64?
  /// What must be added to the events' own times, in milliseconds; 0 when the clocks agree.
  public var clockCorrectionMs: Int64

  /// A header from its parts.
  public init(
    source: Source,
    project: UInt32,
    receivedAtMs: Int64,
    sentAtMs: Int64? = nil,
    clockCorrectionMs: Int64 = 0
  ) {
    self.source = source
    self.project = project
    self.receivedAtMs = receivedAtMs
    self.sentAtMs = sentAtMs
    self.clockCorrectionMs = clockCorrectionMs
  }
}

/// Why a record cannot be read.
public enum RecordError: Error, Sendable, Hashable {
  /// A later version wrote it.
  case newerVersion(found: UInt8, supported: UInt8)
  /// It ends early or its lengths contradict each other; the offset is in bytes from its start.
  case damaged(offset: Int)
}

extension RecordError: CustomStringConvertible {
  /// A plain sentence.
  public var description: String {
    switch self {
    case .newerVersion(let found, let supported):
      "The record has version \(found); this program reads up to version \(supported)."
    case .damaged(let offset):
      "The record is damaged at byte \(offset)."
    }
  }
}

/// Where things lie in a record; all integers little-endian.
///
/// A request: version u8, source u8, flags u16, project u32, received i64, correction i64, sent i64,
/// event count u32, context length u32, context, events. An event: length u32 of what follows, kind
/// u8, flags u8, two zero bytes, key 2 x u64, time i64, sequence i64, nine lengths u32 (id, name,
/// device, user, session, properties, groups, operations, context), then their bytes in that order.
enum RecordFormat {
  static let version: UInt8 = 1
  /// Set in the request's flags when the client said when it sent.
  static let hasSentTime: UInt16 = 1

  static let countOffset = 32
  static let headerBytes = 40
  static let keyOffset = 8
  static let timestampOffset = 24
  static let sequenceOffset = 32
  static let lengthsOffset = 40
  static let textCount = 9
  static let eventBytes = lengthsOffset + 4 * textCount
}
