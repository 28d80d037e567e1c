public import Catalog
import Foundation

extension DataFolder {
  /// Opens the catalogue, or makes it in a folder that holds no data yet.
  ///
  /// - Throws: `StartError.lostCatalogue` where there is data but no catalogue: a new one would give what
  ///   is there to other projects and forget what was erased. `StartError.part` with what SQLite says.
  public func openCatalogue() throws(StartError) -> Catalog {
    if let found = lostCatalogue { throw .lostCatalogue(path: catalogue, found: found) }
    return try StartError.part("catalogue") { try Catalog(path: catalogue) }
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
    guard files.fileExists(atPath: log) else { return nil }
    do {
      let names = try files.contentsOfDirectory(atPath: log)
      return names.filter { $0.hasSuffix(".journal") }.min().map { log + "/" + $0 }
    } catch {
      // What cannot be looked into may hold data.
      return log
    }
  }
}
