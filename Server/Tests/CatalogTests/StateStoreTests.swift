import Foundation
import FootfallSystem
import Testing

@testable import Catalog

@Suite(.timeLimit(.minutes(5))) struct `State of protocols` {
  /// A folder of its own, removed at the end.
  private final class Folder {
    let path = NSTemporaryDirectory() + "footfall-state-" + UUID().uuidString
    var file: String { path + "/state.sqlite" }

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
      do { try FileManager.default.removeItem(atPath: path) } catch { Issue.record(error) }
    }
  }

  @Test func `what was kept is there after a close, in the file alone`() throws {
    let folder = try Folder()
    let store = try StateStore(path: folder.file)
    try store.run { transaction throws(CatalogError) in
      try transaction.set("one", .phaseDevice, "d", project: 1)
    }
    store.close()
    store.close()
    #expect(throws: CatalogError.busy) { try store.run { _ in } }
    let copy = folder.path + "/copy.sqlite"
    try FileManager.default.copyItem(atPath: folder.file, toPath: copy)
    let mode = try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let again = try StateStore(path: copy)
    defer { again.close() }
    let value = try again.run { transaction throws(CatalogError) in
      try transaction.value(.phaseDevice, "d")
    }
    #expect(value == "one")
  }

  @Test func `a transaction that throws takes back its own changes and no others`() throws {
    let store = try StateStore(path: ":memory:")
    defer { store.close() }
    try store.run { transaction throws(CatalogError) in
      try transaction.set("kept", .phaseSession, "a", project: 1)
    }
    #expect(throws: CatalogError.unknownProject(7)) {
      try store.run { transaction throws(CatalogError) in
        try transaction.set("lost", .phaseSession, "a", project: 1)
        throw CatalogError.unknownProject(7)
      }
    }
    let value = try store.run { transaction throws(CatalogError) in
      try transaction.value(.phaseSession, "a")
    }
    #expect(value == "kept")
  }

  @Test func `what may be forgotten is, and nothing earlier`() throws {
    let clock = Lock<Int64>(1_000)
    let store = try StateStore(path: ":memory:") { clock.withLock { $0 } }
    defer { store.close() }
    try store.run { transaction throws(CatalogError) in
      try transaction.set("s", .phaseSession, "s", project: 1, expiresAtMs: 2_000)
      try transaction.set("d", .phaseDevice, "d", project: 1)
    }
    func values() throws -> [String?] {
      // The transaction before forgets; this one looks.
      try store.run { _ in }
      return try store.run { transaction throws(CatalogError) in
        [try transaction.value(.phaseSession, "s"), try transaction.value(.phaseDevice, "d")]
      }
    }
    clock.withLock { $0 = 2_000 }
    #expect(try values() == ["s", "d"])
    clock.withLock { $0 = 2_001 }
    #expect(try values() == [nil, "d"])
  }
}
