import Foundation
import FootfallSystem
import FootfallTesting
import Testing

/// Both forms of the file system must keep the same promises.
@Suite struct `File systems` {
  enum Form: CaseIterable {
    case posix, memory
  }

  private struct Place: ~Copyable {
    let files: any FileSystem
    let folder: String

    init(_ form: Form) throws {
      folder = FileManager.default.temporaryDirectory.path + "/footfall-" + UUID().uuidString
      files =
        switch form {
        case .posix: PosixFiles()
        case .memory: MemoryFiles()
        }
      try files.makeFolder(folder + "/a/b")
      try files.makeFolder(folder + "/a/b")
    }

    deinit {
      guard files is PosixFiles else { return }
      do { try FileManager.default.removeItem(atPath: folder) } catch {
        // Left to whoever cleans the temporary folder.
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `a folder is removed once it is empty`(form: Form) throws {
    let place = try Place(form)
    let folder = place.folder + "/a/b"
    _ = try place.files.open(folder + "/file", .create)
    #expect(throws: SystemError.self) { try place.files.remove(folder) }
    try place.files.remove(folder + "/file")
    try place.files.remove(folder)
    #expect(!place.files.exists(folder) && place.files.exists(place.folder + "/a"))
    #expect(throws: SystemError.self) { try place.files.remove(folder) }
  }

  @Test(arguments: Form.allCases)
  func `what is written is read, from anywhere`(form: Form) throws {
    let place = try Place(form)
    let path = place.folder + "/a/file"
    let file = try place.files.open(path, .create)
    try file.writeAll([1, 2, 3])
    try file.writeAll([])
    try file.writeAll([4, 5])
    try file.sync()
    #expect(try file.size() == 5)
    #expect(try place.files.readAll(path) == [1, 2, 3, 4, 5])
    #expect(try read(file, at: 3, 10) == [4, 5])
    #expect(try read(file, at: 9, 1) == [])
    try file.truncate(to: 2)
    try file.writeAll([9])
    #expect(try place.files.readAll(path) == [1, 2, 9])
    try file.truncate(to: 5)
    #expect(try place.files.readAll(path) == [1, 2, 9, 0, 0])
  }

  @Test(arguments: Form.allCases)
  func `two who append to one file do not overwrite each other`(form: Form) throws {
    let place = try Place(form)
    let path = place.folder + "/file"
    let files = [try place.files.open(path, .append), try place.files.open(path, .append)]
    for byte in UInt8(0)..<6 { try files[Int(byte) % 2].writeAll([byte]) }
    #expect(try place.files.readAll(path) == [0, 1, 2, 3, 4, 5])
  }

  @Test(arguments: Form.allCases)
  func `names come and go`(form: Form) throws {
    let place = try Place(form)
    let (one, two) = (place.folder + "/one", place.folder + "/two")
    _ = try place.files.open(one, .append)
    try place.files.replace(two, with: [2])
    #expect(try place.files.list(place.folder).sorted() == ["a", "one", "two"])
    try place.files.rename(two, to: one)
    #expect(try place.files.readAll(one) == [2])
    #expect(place.files.exists(one) && !place.files.exists(two))
    try place.files.remove(one)
    try place.files.syncFolder(place.folder)
    #expect(try place.files.list(place.folder) == ["a"])
  }

  @Test(arguments: Form.allCases)
  func `what is missing is called missing`(form: Form) throws {
    let place = try Place(form)
    let missing = place.folder + "/x/y"
    #expect(try failure { _ = try place.files.open(missing, .read) }.isMissing)
    #expect(try failure { _ = try place.files.open(missing, .append) }.isMissing)
    #expect(try failure { _ = try place.files.list(missing) }.isMissing)
    #expect(try failure { try place.files.remove(missing) }.isMissing)
    #expect(try failure { try place.files.rename(missing, to: place.folder + "/z") }.isMissing)
    #expect(try failure { try place.files.syncFolder(missing) }.isMissing)
  }

  @Test(arguments: Form.allCases)
  func `creating what exists is an error`(form: Form) throws {
    let place = try Place(form)
    let path = place.folder + "/file"
    _ = try place.files.open(path, .create)
    #expect(try failure { _ = try place.files.open(path, .create) }.code == EEXIST)
  }

  @Test(arguments: Form.allCases)
  func `replacing leaves the new bytes and no draft`(form: Form) throws {
    let place = try Place(form)
    let path = place.folder + "/a/value"
    // A draft that an earlier stop left behind is in nobody's way.
    try place.files.open(path + ".new", .create).writeAll([7, 7, 7, 7])
    for bytes in [[1, 2, 3], [], [4]] as [[UInt8]] {
      try place.files.replace(path, with: bytes)
      #expect(try place.files.readAll(path) == bytes)
    }
    #expect(try place.files.list(place.folder + "/a").sorted() == ["b", "value"])
  }

  @Test(arguments: Form.allCases)
  func `a lock has one holder, whom others can name, until it is released`(form: Form) throws {
    let place = try Place(form)
    let path = place.folder + "/lock"
    let lock = try #require(acquired(try place.files.lock(path)))
    guard case .held(let process) = try place.files.lock(path) else {
      Issue.record("a second taker must be refused")
      return
    }
    #expect(process == (form == .posix ? getpid() : 4_242))
    lock.release()
    lock.release()
    var second = acquired(try place.files.lock(path))
    #expect(second != nil)
    second = nil
    #expect(acquired(try place.files.lock(path)) != nil)
  }

  @Test func `an error is a sentence`() {
    let error = SystemError(code: ENOSPC, operation: .write, path: "/data/log")
    #expect(error.description == "Could not write /data/log: No space left on device (28).")
    #expect(error.isDiskFull && !error.isReadOnly && !error.isMissing)
  }

  private func read(_ file: any OpenFile, at offset: UInt64, _ count: Int) throws -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    defer { buffer.deallocate() }
    return Array(buffer.prefix(try file.read(into: buffer, at: offset)))
  }

  private func failure(_ body: () throws -> Void) throws -> SystemError {
    try #require(#expect(throws: SystemError.self, performing: body))
  }

  private func acquired(_ result: FileLockResult) -> (any FileLock)? {
    guard case .acquired(let lock) = result else { return nil }
    return lock
  }
}

@Suite struct `A disk in memory` {
  @Test func `it forgets what was not synced when the power goes`() throws {
    let files = MemoryFiles()
    try files.makeFolder("/d")
    let file = try files.open("/d/synced", .append)
    try file.writeAll([1])
    try file.sync()
    try files.syncFolder("/d")
    try file.writeAll([2, 3])
    _ = try files.open("/d/unsynced-name", .append)
    let copy = files.copy()
    files.losePower(keepingTailBytes: 1)
    #expect(files.paths == ["/d/synced"])
    #expect(files.bytes("/d/synced") == [1, 2])
    #expect(copy.bytes("/d/synced") == [1, 2, 3])
  }

  @Test func `it fills up, and says so once nothing fits`() throws {
    let files = MemoryFiles(capacityBytes: 3)
    let file = try files.open("/f", .append)
    try file.writeAll([1, 2])
    #expect(throws: SystemError(code: ENOSPC, operation: .write, path: "/f")) {
      try file.writeAll([3, 4])
    }
    #expect(try file.size() == 3)
    files.setCapacity(4)
    try file.writeAll([4])
  }
}
