import DuckDBStore
import EventStore
import Foundation
import Testing

@Suite struct `A store's file` {
  @Test func `that is cut off is told with what to do`() throws {
    let folder = try TemporaryFolder()
    try TestLibrary.open(folder).close()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let name = try #require(names.first { $0.hasSuffix(".duckdb") }, "\(names)")
    let file = try #require(FileHandle(forUpdatingAtPath: folder.path + "/" + name))
    try file.truncate(atOffset: file.seekToEnd() / 2)
    try file.close()
    let error = #expect(throws: StoreError.self) { try TestLibrary.open(folder) }
    #expect(
      error?.description.contains("restore the data folder from a backup") == true,
      "\(error.map(\.description) ?? "")"
    )
  }
}
