import Catalog
import Foundation
import ServerApp

extension Command {
  /// `footfall stream`: what clients of Kinesis and Firehose put records into.
  static let stream = Command(
    name: "stream",
    summary: "Create, list, delete and export streams for Kinesis's and Firehose's clients",
    usage: """
      Usage: footfall stream create NAME [--kind kinesis|firehose] [--shards N]
                 [--records-per-second N] [--bytes-per-second N] [--project P] [--data DIR]
             footfall stream list [--project P] [--data DIR]
             footfall stream delete NAME [--kind kinesis|firehose] [--project P] [--data DIR]
             footfall stream export NAME [--kind kinesis|firehose] [--project P] [--data DIR]

      AWS clients put records into a stream with a key of the project (footfall key add --kind aws). A
      record that is a JSON object with a name becomes an event; any other is kept and shown as
      $stream_record. Its bytes can be read back for a day: from a Kinesis stream by GetRecords, from
      either kind by export, which writes them one after the other to standard output while the server
      is stopped. What was erased (footfall erase) is not among them.

        --kind KIND             the service whose clients know it (default kinesis)
        --shards N              1 to 1,000 for Kinesis (default 1)
        --records-per-second N  what a shard takes; more is answered as AWS does (default 0: any number)
        --bytes-per-second N    the same for bytes
      """
  ) { words, terminal in
    try CatalogueCommand.choose(
      words,
      [
        "create": { try StreamCommand.create($0, terminal) },
        "list": { try StreamCommand.list($0, terminal) },
        "delete": { try StreamCommand.delete($0, terminal) },
        "export": { try StreamCommand.export($0, terminal) },
      ]
    )
  }
}

/// What `footfall stream` does.
enum StreamCommand {
  static func create(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try named(
      words,
      ["kind", "shards", "records-per-second", "bytes-per-second"]
    )
    let limits = 0...Int(Int32.max)
    let shards = try arguments.integer("shards", in: 1...1_000, default: 1)
    let records = try arguments.integer("records-per-second", in: limits, default: 0)
    let bytes = try arguments.integer("bytes-per-second", in: limits, default: 0)
    let kind = try kind(arguments)
    let catalog = try CatalogueCommand.open(arguments)
    let stream = try catalog.createStream(
      arguments.positional[0],
      kind: kind,
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      shards: shards,
      recordsPerSecond: records,
      bytesPerSecond: bytes,
      by: .commandLine
    )
    terminal.out("Stream \(stream.name) (\(text(stream))) takes records from now on.")
  }

  static func list(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try Arguments(words, shape: Arguments.Shape(options: ["data", "project"]))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    for stream in try catalog.streams(project: project.id) {
      terminal.out("\(stream.name)\t\(text(stream))")
    }
  }

  static func delete(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try named(words, ["kind"])
    let kind = try kind(arguments)
    let catalog = try CatalogueCommand.open(arguments)
    try catalog.deleteStream(
      arguments.positional[0],
      kind: kind,
      project: try CatalogueCommand.project(arguments, in: catalog).id,
      by: .commandLine
    )
    terminal.out("Stream \(arguments.positional[0]) is gone; its events stay.")
  }

  static func export(_ words: [String], _ terminal: Terminal) throws {
    let arguments = try named(words, ["kind"])
    let (name, kind) = (arguments.positional[0], try kind(arguments))
    let catalog = try CatalogueCommand.open(arguments)
    let project = try CatalogueCommand.project(arguments, in: catalog)
    guard
      let stream = try catalog.streams(project: project.id).first(where: {
        $0.name == name && $0.kind == kind
      })
    else { throw CatalogError.unknownStream(name) }
    let count = try StreamFile.write(stream, of: CatalogueCommand.folder(arguments)) { bytes in
      try FileHandle.standardOutput.write(contentsOf: Data(bytes))
    }
    terminal.error("\(Counted.text(count, "record")) of stream \(name).")
  }

  private static func named(_ words: [String], _ options: Set<String>) throws -> Arguments {
    try Arguments(
      words,
      shape: Arguments.Shape(
        options: options.union(["data", "project"]),
        positional: 1...1,
        word: "NAME"
      )
    )
  }

  private static func kind(_ arguments: Arguments) throws -> RecordStream.Kind {
    let kinds = RecordStream.Kind.allCases.map(\.rawValue)
    return RecordStream.Kind(
      rawValue: try arguments.choice("kind", of: kinds, default: RecordStream.Kind.kinesis.rawValue)
    ) ?? .kinesis
  }

  private static func text(_ stream: RecordStream) -> String {
    var text = stream.kind.rawValue
    if stream.kind == .kinesis {
      text += ", \(Counted.text(stream.shards, "shard"))"
    }
    if stream.recordsPerSecond > 0 {
      text += ", \(Counted.text(stream.recordsPerSecond, "record"))/s a shard"
    }
    if stream.bytesPerSecond > 0 {
      text += ", \(Counted.text(stream.bytesPerSecond, "byte"))/s a shard"
    }
    return text
  }
}
