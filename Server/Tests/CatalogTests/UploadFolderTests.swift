import Foundation
import Testing

@testable import Catalog

@Suite struct `Files that are sent` {
  private func folder(freeBytes: Int = .max) -> UploadFolder {
    UploadFolder(
      NSTemporaryDirectory() + "footfall-uploads-" + UUID().uuidString,
      freeBytes: { _ in freeBytes }
    )
  }

  private func add(
    _ text: String,
    at offset: Int? = nil,
    of id: String? = nil,
    to folder: UploadFolder
  ) throws -> (id: String, bytes: Int) {
    try Array(text.utf8).withUnsafeBytes {
      try folder.add($0, at: offset, of: id, project: 1)
    }
  }

  @Test func `belong to their project and are for their owner alone`() throws {
    let folder = folder()
    defer { do { try FileManager.default.removeItem(atPath: folder.path) } catch { print(error) } }
    let sent = try add("abc", to: folder)
    let path = try #require(folder.existing(sent.id, of: 1))
    #expect(folder.existing(sent.id, of: 2) == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    #expect(throws: UploadFolder.Problem.elsewhere(bytes: 3)) {
      try add("x", at: 2, of: sent.id, to: folder)
    }
    #expect(try add("def", at: 3, of: sent.id, to: folder).bytes == 6)
  }

  @Test(arguments: [
    "", "../../etc/passwd", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef/",
  ])
  func `are not found by anything but their own id`(id: String) throws {
    let folder = folder()
    defer { do { try FileManager.default.removeItem(atPath: folder.path) } catch { print(error) } }
    _ = try add("abc", to: folder)
    #expect(folder.existing(id, of: 1) == nil)
    #expect(throws: UploadFolder.Problem.unknown) { try add("x", of: id, to: folder) }
  }

  @Test func `are not taken once the disk is nearly full`() throws {
    let folder = folder(freeBytes: UploadFolder.minFreeBytes + 2)
    defer { do { try FileManager.default.removeItem(atPath: folder.path) } catch { print(error) } }
    #expect(throws: UploadFolder.Problem.diskFull) { try add("abc", to: folder) }
    #expect(try add("ab", to: folder).bytes == 2)
  }
}
