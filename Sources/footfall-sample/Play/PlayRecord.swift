import Foundation

/// What was played to a server from a folder: kept in the folder, so that a second start goes on.
///
/// The anchor is kept from the moment it is chosen. A history that was interrupted is sent again
/// with the same times and ids, and what the server has already counts once.
struct PlayRecord: Codable, Sendable, Hashable {
  var settings: DemoPlan.Settings
  var isHistorySent = false
  /// How many people have joined live so far.
  var newcomers = 0

  /// The record of a server, key and plan in a folder, or a new one that ends its history now.
  static func load(_ options: Options, folder: String, nowMs: Int64) throws -> PlayRecord {
    let file = file(options, folder)
    guard FileManager.default.fileExists(atPath: file.path) else {
      return PlayRecord(
        settings: DemoPlan.Settings(
          seed: options.seed,
          people: options.people,
          days: options.days,
          anchorMs: nowMs
        )
      )
    }
    return try JSONDecoder().decode(PlayRecord.self, from: Data(contentsOf: file))
  }

  /// Writes the record into the folder, which is made if need be.
  func save(_ options: Options, folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: folder,
      withIntermediateDirectories: true
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: Self.file(options, folder), options: .atomic)
  }

  private static func file(_ options: Options, _ folder: String) -> URL {
    // The key itself stays out of the name (FNV-1a, 64 bits).
    let text =
      "\(options.endpoint) \(options.key) \(options.seed) \(options.people) \(options.days)"
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return URL(fileURLWithPath: folder)
      .appendingPathComponent("played-\(String(hash, radix: 16)).json")
  }
}
