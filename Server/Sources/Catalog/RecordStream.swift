/// A stream that clients of Kinesis or Firehose put records into.
public struct RecordStream: Sendable, Hashable, Identifiable {
  /// The service whose clients know it.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Records are spread over shards by their keys, and read back.
    case kinesis
    /// Records are kept in order and handed out as one file.
    case firehose

    /// The longest name that the service allows.
    var maxNameLength: Int { self == .kinesis ? 128 : 64 }
  }

  /// Its number, unique in the catalogue and never given again.
  public let id: Int64
  /// The project that gets its events.
  public let project: UInt32
  /// The service whose clients know it.
  public let kind: Kind
  /// Its name, unique among the project's of its kind.
  public let name: String
  /// How many shards it has, 1 to 1,000; 1 for Firehose.
  public let shards: Int
  /// Records that a shard takes in a second; 0 for any number.
  public let recordsPerSecond: Int
  /// Bytes that a shard takes in a second; 0 for any number.
  public let bytesPerSecond: Int
  /// When it was made, in milliseconds since 1970.
  public let createdAtMs: Int64
}

/// The streams there are, in memory: what is asked for each request.
struct StreamIndex: Sendable {
  private struct Name: Hashable {
    let project: UInt32
    let kind: RecordStream.Kind
    let name: String
  }

  private let byName: [Name: RecordStream]
  private let byID: [Int64: RecordStream]

  init(_ streams: [RecordStream] = []) {
    byName = Dictionary(
      streams.map { (Name(project: $0.project, kind: $0.kind, name: $0.name), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    byID = Dictionary(streams.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func stream(_ name: String, _ kind: RecordStream.Kind, project: UInt32) -> RecordStream? {
    byName[Name(project: project, kind: kind, name: name)]
  }

  subscript(id: Int64) -> RecordStream? { byID[id] }
}
