import Catalog
import Foundation

/// Files in the data folder that hold events of projects for a while: what exports made, what was sent to
/// be imported, what an import unpacked.
struct ProjectFiles: Sendable {
  let folder: DataFolder
  let catalog: Catalog

  /// Removes those of a project, and those that could be any project's.
  ///
  /// - Throws: what the disk or the catalogue says; doing it again is right.
  func remove(of project: UInt32) throws {
    for name in try Self.names(in: folder.exports) {
      let id = name.split(separator: ".").first.flatMap { Int64($0) }
      // One whose job is not known any more could be anybody's.
      let job = try id.flatMap { try catalog.job($0) }
      guard job == nil || job?.project == project else { continue }
      try FileManager.default.removeItem(atPath: folder.exports + "/" + name)
    }
    for name in try Self.names(in: folder.uploads) where name.hasPrefix("\(project)-") {
      try FileManager.default.removeItem(atPath: folder.uploads + "/" + name)
    }
    // A kill in the middle of an import leaves it.
    let unpacked = folder.store + ".unpacked"
    if FileManager.default.fileExists(atPath: unpacked) {
      try FileManager.default.removeItem(atPath: unpacked)
    }
  }

  /// Removes what was last changed before a moment.
  ///
  /// - Throws: what the disk says.
  func remove(before oldestMs: Int64) throws {
    for folder in [folder.exports, folder.uploads] {
      for name in try Self.names(in: folder) {
        let path = folder + "/" + name
        let date = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
        guard let date = date as? Date, Int64(date.timeIntervalSince1970 * 1_000) < oldestMs else {
          continue
        }
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }

  private static func names(in folder: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: folder)
  }
}
