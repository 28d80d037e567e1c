internal import Catalog

/// What the catalogue knows of streams, and changes about them.
struct StreamDirectory: Sendable {
  /// The stream of a name and kind; nil where the project has none.
  ///
  /// Never waits.
  var named:
    @Sendable (_ name: String, _ kind: RecordStream.Kind, _ project: UInt32) -> RecordStream? = {
      _,
      _,
      _ in nil
    }
  /// The stream with a number; nil where there is none.
  ///
  /// Never waits.
  var numbered: @Sendable (_ id: Int64) -> RecordStream? = { _ in nil }
  /// The streams of a project.
  var all: @Sendable (_ project: UInt32) throws(CatalogError) -> [RecordStream] = { _ in [] }
  /// Makes a Kinesis stream.
  var create:
    @Sendable (_ name: String, _ shards: Int, _ key: AWSKey) throws(CatalogError) -> Void = {
      _,
      _,
      _ in
    }
  /// Takes a Kinesis stream away.
  var delete: @Sendable (_ name: String, _ key: AWSKey) throws(CatalogError) -> Void = { _, _ in }
}

extension StreamDirectory {
  /// What a catalogue knows.
  init(_ catalog: Catalog) {
    named = { catalog.stream($0, kind: $1, project: $2) }
    numbered = { catalog.stream($0) }
    all = { project throws(CatalogError) in try catalog.streams(project: project) }
    create = { name, shards, key throws(CatalogError) in
      try catalog.createStream(
        name,
        kind: .kinesis,
        project: key.project,
        shards: shards,
        by: .key(key.keyID)
      )
    }
    delete = { name, key throws(CatalogError) in
      try catalog.deleteStream(name, kind: .kinesis, project: key.project, by: .key(key.keyID))
    }
  }
}
