#if os(Linux)
import FootfallOutbox
import FootfallSystem
import Foundation
import Testing

@Suite struct `Outbox after a fork` {
  /// What the child found, as its exit status.
  private enum Found: Int32 {
    case ownFolder = 0
    case parentsFolder = 1
    case failed = 2
  }

  @Test func `a child works in a folder of its own, and the parent's lock stays`() throws {
    let path = NSTemporaryDirectory() + "footfall-fork-\(UUID().uuidString)"
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: path) } }
    let folder = OutboxFolder(
      path: path,
      limits: Subject.small,
      files: PosixFiles(),
      random: Subject.random
    )
    let parent = try folder.open()
    try parent.append(Subject.events(0..<3))
    let child = fork()
    if child == 0 {
      parent.leaveToParent()
      var found = Found.failed
      do {
        let own = try folder.open()
        try own.append(Subject.events(10..<12))
        found = own.folder == path || own.keptEvents != 2 ? .parentsFolder : .ownFolder
      } catch {
        // Said by the status.
      }
      _exit(found.rawValue)
    }
    var status: Int32 = -1
    #expect(waitpid(child, &status, 0) == child)
    #expect(Found(rawValue: status >> 8 & 0xff) == .ownFolder && status & 0x7f == 0)
    #expect(throws: OutboxError.locked(pid: getpid())) {
      try Outbox(folder: path, files: PosixFiles(), random: Subject.random)
    }
    #expect(try folder.adopt(into: parent) == 2)
    #expect(try Subject.numbers(parent).sorted() == [0, 1, 2, 10, 11])
    parent.close()
  }
}
#endif
