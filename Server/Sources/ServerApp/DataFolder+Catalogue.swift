import Catalog
import Foundation

extension DataFolder {
  /// Checks that a catalogue may be opened here, or made where there is none.
  ///
  /// - Throws: `StartError.lostCatalogue` where there is data but no catalogue: a new one would give what
  ///   is there to other projects and forget what was erased.
  public func checkCatalogue() throws(StartError) {
    if let found = lostCatalogue { throw .lostCatalogue(path: catalogue, found: found) }
  }

  /// Whether there is a store but no log, by its id or any segment, from which it was loaded.
  var isLogLost: Bool {
    let files = FileManager.default
    guard files.fileExists(atPath: store) else { return false }
    return !files.fileExists(atPath: log + "/journal.id") && segments.isEmpty
  }

  /// A file with data that belongs to projects of a catalogue that is not there; nil where all is well.
  var lostCatalogue: String? { Catalog.isEmpty(path: catalogue) ? exampleOfData : nil }

  /// Whether no start has come to make the catalogue yet.
  var isNew: Bool { Catalog.isEmpty(path: catalogue) && exampleOfData == nil }

  /// A file that holds data; the first start makes each of them after the catalogue.
  private var exampleOfData: String? {
    let files = FileManager.default
    if let name = [store, endpoints, state].first(where: { files.fileExists(atPath: $0) }) {
      return name
    }
    return segments.min().map { log + "/" + $0 }
  }

  /// The names of the log's segments.
  private var segments: [String] {
    guard FileManager.default.fileExists(atPath: log) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: log)
        .filter { $0.hasSuffix(".journal") }
    } catch {
      // What cannot be looked into may hold data.
      return ["(unreadable)"]
    }
  }
}
