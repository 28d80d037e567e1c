import FootfallSystem
import Foundation
import Testing

@testable import Catalog

@Suite struct `What is wrong with a file` {
  @Test(
    arguments: [
      (11, 0, .max, true, .damaged), (26, 0, .max, true, .damaged), (267, 0, .max, true, .damaged),
      (13, 0, .max, true, .diskFull), (8, 0, .max, true, .readOnly),
      (1_032, 0, .max, true, .readOnly),
      (4_874, 0, 0, true, .diskFull), (10, ENOSPC, .max, true, .diskFull),
      (10, EROFS, .max, true, .readOnly), (14, EACCES, .max, true, .readOnly),
      (14, 0, .max, false, .readOnly), (14, 0, 0, false, .diskFull),
      (14, ENOENT, .max, true, .unopenable), (10, EIO, .max, true, nil), (1, 0, 0, false, nil),
    ] as [(Int32, Int32, UInt64, Bool, FileTrouble?)]
  )
  func `is told by SQLite's code, the system's, and the folder it lies in`(
    code: Int32,
    systemError: Int32,
    free: UInt64,
    isWritable: Bool,
    trouble: FileTrouble?
  ) {
    #expect(
      FileTrouble(
        code: code,
        systemError: systemError,
        freeBytes: { free },
        isWritable: { isWritable }
      ) == trouble
    )
  }

  @Test func `looking for damage makes nothing`() throws {
    let path = NSTemporaryDirectory() + "footfall-" + UUID().uuidString
    #expect(throws: CatalogError.self) { try DatabaseFile.damages(path) }
    #expect(Catalog.isEmpty(path: path))
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
