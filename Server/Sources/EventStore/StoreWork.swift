import Foundation

/// Work on a project's events, or on all data, that takes its time: what a job is asked to do.
public enum StoreWork: Sendable, Hashable, Codable {
  /// Counts the stored events that an erasure would remove.
  case count(EventConditions)
  /// Erases; the number is the erasure's, see `Erasure.id`.
  case erase(EventConditions, id: Int64)
  /// Writes events into a file of the server's.
  case export(TransferFormat, EventConditions, person: String?)
  /// Adds the events of a file, whose path the server's process can read.
  ///
  /// One that was sent to the server for this is removed afterwards; the name is what it is called where it
  /// came from, nil where that was not told.
  case importing(file: String, TransferFormat, isSent: Bool, name: String? = nil)
  /// Copies all data into a new folder, whose path the server's process can write.
  case backup(folder: String)

  /// An erasure with a number of its own.
  public static func erasing(_ conditions: EventConditions) -> StoreWork {
    .erase(conditions, id: .random(in: 1 ... .max))
  }

  /// The word for it.
  public var kind: String {
    switch self {
    case .count: "count"
    case .erase: "erase"
    case .export: "export"
    case .importing: "import"
    case .backup: "backup"
    }
  }

  /// Every word there is.
  public static let kinds = ["count", "erase", "export", "import", "backup"]

  /// What it is, without naming a person.
  public var summary: String {
    switch self {
    case .count(let conditions), .erase(let conditions, _): conditions.summary
    case .export(let format, let conditions, let person):
      (person == nil ? "" : "one person, ") + conditions.summary + " as \(format.title)"
    case .importing(let file, let format, let isSent, let name):
      (name.map { "“\($0)”" } ?? (isSent ? "a file that was sent" : file)) + " as \(format.title)"
    case .backup(let folder): folder
    }
  }

  /// It as text.
  ///
  /// - Throws: what the encoder says, which it has no reason to.
  public func encoded() throws -> String {
    String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
  }

  /// Reads it from its text.
  ///
  /// - Throws: what the decoder says, as of a text that a later version wrote.
  public init(encoded text: String) throws {
    self = try JSONDecoder().decode(StoreWork.self, from: Data(text.utf8))
  }
}
