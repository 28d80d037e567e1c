import Catalog
import EventStore
import Foundation
import Wire

/// An erasure as the catalogue has it.
struct WrittenErasure {
  let erasure: Erasure
  /// Whether all was done; in the data folder that the catalogue is of.
  let isDone: Bool
  /// How many events were removed.
  let removed: Int?

  /// All that are written down, the oldest first.
  ///
  /// - Throws: `CatalogError`, or what is wrong with one.
  static func all(in catalog: Catalog) throws -> [WrittenErasure] {
    try catalog.erasures().map { entry in
      WrittenErasure(
        erasure: try JSONDecoder().decode(Erasure.self, from: Data(entry.document.utf8)),
        isDone: entry.doneAtMs != nil,
        removed: entry.removed
      )
    }
  }
}

extension EraseList {
  /// All that a catalogue has.
  ///
  /// - Throws: `CatalogError`, or what is wrong with one.
  init(_ catalog: Catalog) throws {
    self.init(try WrittenErasure.all(in: catalog).map(\.erasure))
  }
}

extension StreamErased {
  /// Leaves out what a list has.
  init(_ list: EraseList) {
    guard !list.isEmpty else {
      self.init()
      return
    }
    self.init { list.concerns(Erasure.Facts($0, header: $1)) }
  }
}
