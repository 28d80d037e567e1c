#if os(Linux) || os(macOS)
import Foundation
import FootfallSystem
import Testing

@testable import FootfallJournal

@Suite(.timeLimit(.minutes(5))) struct `Real disks and processes` {
  @Test func `a journal on the disk is there again after closing`() throws {
    let folder = try RealFolder("again")
    let path = folder.path + "/a/b/log"
    let journal = try Journal(folder: path)
    try journal.append("one")
    try journal.seal()
    try journal.append(["two", "three"].map { Array($0.utf8) })
    journal.close()
    let again = try Journal(folder: path)
    #expect(try again.texts() == ["one", "two", "three"])
    #expect(again.id == journal.id)
  }

  @Test func `a second process learns who holds the folder, and gets it afterwards`() async throws {
    let folder = try RealFolder("second")
    let path = folder.path
    let journal = try Journal(folder: path)
    await #expect(processExitsWith: .success) {
      let path = RealFolder.ofParent("second")
      #expect(throws: JournalError.locked(pid: getppid())) { try Journal(folder: path) }
    }
    journal.close()
    await #expect(processExitsWith: .success) {
      let path = RealFolder.ofParent("second")
      let journal = try Journal(folder: path)
      try journal.append("from the child")
    }
    #expect(try Journal(folder: path).texts() == ["from the child"])
  }

  @Test func `two journals in one process exclude each other as well`() throws {
    let folder = try RealFolder("two")
    let journal = try Journal(folder: folder.path)
    #expect(throws: JournalError.locked(pid: getpid())) { try Journal(folder: folder.path) }
    journal.close()
    _ = try Journal(folder: folder.path)
  }

  @Test func `a process that aborts in mid-write loses that record only`() async throws {
    for bytes in [UInt8(1), 11, 12, 40, 110] {
      let folder = try RealFolder("abort")
      let path = folder.path
      try PosixFiles().replace(path + "/keeping", with: [bytes])
      await #expect(processExitsWith: .signal(SIGABRT)) {
        let path = RealFolder.ofParent("abort")
        let keeping = try PosixFiles().readAll(path + "/keeping")[0]
        let files = AbortingFiles(write: 12, keeping: Int(keeping))
        let journal = try Journal(folder: path, files: files)
        let filler = String(repeating: "x", count: 90)
        for number in 0... { try journal.append("record \(number) " + filler) }
      }
      let journal = try Journal(folder: path)
      // The first two writes were the id and the segment's header.
      #expect(journal.recovery.frames == 9)
      #expect(journal.recovery.tornTail?.bytes == UInt64(bytes))
      #expect(journal.recovery.gaps.isEmpty)
      let texts = try journal.texts()
      #expect(texts.map { $0.prefix(8) } == (0..<9).map { "record \($0)" })
      try journal.append("after")
      #expect(try journal.texts() == texts + ["after"])
    }
  }

  @Test func `a folder of somebody else is read-only`() async throws {
    let folder = try RealFolder("foreign")
    let path = folder.path + "/log"
    do {
      let journal = try Journal(folder: path)
      try journal.append("one")
    }
    chmod(path, 0o555)
    for name in try PosixFiles().list(path) { chmod(path + "/" + name, 0o444) }
    await #expect(processExitsWith: .success) {
      let path = RealFolder.ofParent("foreign") + "/log"
      // Permissions stop nothing that root does, so the child becomes nobody.
      if getuid() == 0 { #expect(setgid(65_534) == 0 && setuid(65_534) == 0) }
      #expect(throws: JournalError.readOnly) { try Journal(folder: path) }
      #expect(throws: JournalError.readOnly) { try Journal(folder: path + "/below") }
    }
    #expect(try PosixFiles().list(path).count == 3)
    chmod(path, 0o755)
  }

  @Test func `a folder whose place is taken by a file is missing`() throws {
    let folder = try RealFolder("file")
    let path = folder.path + "/file"
    try PosixFiles().replace(path, with: [1])
    #expect(throws: JournalError.missingFolder) { try Journal(folder: path + "/log") }
  }

  @Test func `a folder that is deleted under the journal is missed, and back with a new one`()
    throws
  {
    let folder = try RealFolder("deleted")
    let path = folder.path + "/log"
    let journal = try Journal(folder: path)
    try journal.append("one")
    try journal.sync()
    try FileManager.default.removeItem(atPath: path)
    try journal.append("two")
    #expect(throws: JournalError.missingFolder) { try journal.sync() }
    #expect(throws: JournalError.missingFolder) { try journal.append("three") }
    journal.close()
    let again = try Journal(folder: path)
    try again.append("four")
    try again.sync()
    #expect(try again.texts() == ["four"])
  }

  @Test(.enabled(if: Linux.canMount, "needs Linux and the right to mount"))
  func `a full real disk refuses records whole and takes them again with space`() async throws {
    let folder = try RealFolder("full")
    defer { withExtendedLifetime(folder) {} }
    await #expect(processExitsWith: .success) {
      let path = RealFolder.ofParent("full")
      #expect(Linux.leaveMountNamespace())
      #expect(Linux.mountSmallDisk(at: path, bytes: 256 << 10))
      let journal = try Journal(folder: path + "/log")
      let record = String(repeating: "r", count: 1_000)
      var taken = 0
      #expect(throws: JournalError.diskFull) {
        while true {
          try journal.append(record)
          taken += 1
        }
      }
      #expect(taken > 100)
      try journal.seal()
      #expect(throws: JournalError.diskFull) { try journal.append(record) }
      #expect(try journal.texts().count == taken)
      try journal.remove(segment: 1)
      try journal.append(record)
      try journal.sync()
      #expect(try journal.texts().count == 1)
      journal.close()
      let again = try Journal(folder: path + "/log")
      #expect(try again.texts() == [record])
      #expect(again.recovery.gaps.isEmpty && again.recovery.tornTail == nil)
    }
  }

  @Test(.enabled(if: Linux.canMount, "needs Linux and the right to mount"))
  func `a disk mounted for reading is read-only even for root`() async throws {
    let folder = try RealFolder("mounted")
    let path = folder.path + "/log"
    do {
      let journal = try Journal(folder: path)
      try journal.append("one")
    }
    await #expect(processExitsWith: .success) {
      let path = RealFolder.ofParent("mounted") + "/log"
      #expect(Linux.leaveMountNamespace())
      #expect(Linux.makeReadOnly(path))
      #expect(throws: JournalError.readOnly) { try Journal(folder: path) }
      #expect(throws: JournalError.readOnly) { try Journal(folder: path + "/below") }
    }
    #expect(try Journal(folder: path).texts() == ["one"])
  }
}

/// The real disk, with a power switch: one write keeps only its first bytes, then the process ends.
private struct AbortingFiles: FileSystem {
  private let base = PosixFiles()
  private let countdown: Lock<Int>
  private let keeping: Int

  init(write number: Int, keeping: Int) {
    countdown = Lock(number)
    self.keeping = keeping
  }

  func makeFolder(_ path: String) throws(SystemError) { try base.makeFolder(path) }
  func list(_ folder: String) throws(SystemError) -> [String] { try base.list(folder) }
  func exists(_ path: String) -> Bool { base.exists(path) }
  func rename(_ path: String, to newPath: String) throws(SystemError) {
    try base.rename(path, to: newPath)
  }
  func remove(_ path: String) throws(SystemError) { try base.remove(path) }
  func syncFolder(_ path: String) throws(SystemError) { try base.syncFolder(path) }
  func lock(_ path: String) throws(SystemError) -> FileLockResult { try base.lock(path) }
  func open(_ path: String, _ access: FileAccess) throws(SystemError) -> any OpenFile {
    AbortingFile(base: try base.open(path, access), countdown: countdown, keeping: keeping)
  }
}

private final class AbortingFile: OpenFile {
  private let base: any OpenFile
  private let countdown: Lock<Int>
  private let keeping: Int

  init(base: any OpenFile, countdown: Lock<Int>, keeping: Int) {
    self.base = base
    self.countdown = countdown
    self.keeping = keeping
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
    let isLast = countdown.withLock { left in
      left -= 1
      return left == 0
    }
    guard isLast else { return try base.write(bytes) }
    try base.writeAll(UnsafeRawBufferPointer(rebasing: bytes.prefix(keeping)))
    abort()
  }

  func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: UInt64
  ) throws(SystemError) -> Int {
    try base.read(into: buffer, at: offset)
  }
  func sync() throws(SystemError) { try base.sync() }
  func truncate(to size: UInt64) throws(SystemError) { try base.truncate(to: size) }
  func size() throws(SystemError) -> UInt64 { try base.size() }
}
#endif
