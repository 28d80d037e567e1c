import FootfallSystem
import Foundation
import Testing

@testable import Catalog

@Suite struct `What is wrong with a file` {
  @Test(
    arguments: [
      (11, 0, .max, .damaged), (26, 0, .max, .damaged), (267, 0, .max, .damaged),
      (13, 0, .max, .diskFull),
      (8, 0, .max, .readOnly), (1_032, 0, .max, .readOnly), (4_874, 0, 0, .diskFull),
      (10, ENOSPC, .max, .diskFull), (10, EROFS, .max, .readOnly), (14, EACCES, .max, .readOnly),
      (14, ENOENT, .max, .unopenable), (10, EIO, .max, nil), (1, 0, 0, nil),
    ] as [(Int32, Int32, UInt64, FileTrouble?)]
  )
  func `is told by SQLite's code, the system's, and the room there is`(
    code: Int32,
    systemError: Int32,
    free: UInt64,
    trouble: FileTrouble?
  ) {
    #expect(FileTrouble(code: code, systemError: systemError) { free } == trouble)
  }

  @Test func `looking for damage makes nothing`() throws {
    let path = NSTemporaryDirectory() + "footfall-" + UUID().uuidString
    #expect(throws: CatalogError.self) { try DatabaseFile.damages(path) }
    #expect(Catalog.isEmpty(path: path))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
