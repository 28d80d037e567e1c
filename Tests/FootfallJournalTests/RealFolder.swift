import Foundation
import FootfallSystem

@testable import FootfallJournal

/// A folder on the real disk that is removed with the last reference to it.
///
/// Its path follows from the test process and a name, so that a child process finds it as well.
final class RealFolder: Sendable {
  let path: String

  init(_ name: String) throws {
    path = Self.path(name, ofProcess: getpid())
    try PosixFiles().makeFolder(path)
    // A child without privileges must get as far as the folders below.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// The folder that the process which started this one made.
  static func ofParent(_ name: String) -> String {
    path(name, ofProcess: getppid())
  }

  private static func path(_ name: String, ofProcess process: Int32) -> String {
    FileManager.default.temporaryDirectory.path + "/footfall-test-\(process)-\(name)"
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: path) } catch {
      // Left to whoever cleans the temporary folder.
    }
  }
}

/// What only Linux can be asked for, found at run time since Swift's Glibc does not show it.
enum Linux {
  private static func function<Function>(_ name: String, as _: Function.Type) -> Function? {
    guard MemoryLayout<Function>.size == MemoryLayout<UnsafeMutableRawPointer>.size,
      let program = dlopen(nil, RTLD_NOW), let symbol = dlsym(program, name)
    else { return nil }
    return unsafeBitCast(symbol, to: Function.self)
  }

  private typealias Unshare = @convention(c) (Int32) -> Int32
  private typealias Mount =
    @convention(c) (
      UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafePointer<CChar>?, UInt,
      UnsafePointer<CChar>?
    ) -> Int32

  private static let newMountNamespace: Int32 = 0x20000
  private static let recursive: UInt = 16384
  private static let makePrivate: UInt = 1 << 18
  private static let remount: UInt = 32
  private static let bind: UInt = 4096
  private static let readOnly: UInt = 1

  /// Gives the calling thread mounts of its own; only in a process made for it.
  static func leaveMountNamespace() -> Bool {
    guard let unshare = function("unshare", as: Unshare.self),
      let mount = function("mount", as: Mount.self)
    else { return false }
    return unshare(newMountNamespace) == 0
      && mount("none", "/", nil, recursive | makePrivate, nil) == 0
  }

  /// Puts an empty disk of some bytes at a folder.
  static func mountSmallDisk(at path: String, bytes: Int) -> Bool {
    guard let mount = function("mount", as: Mount.self) else { return false }
    return mount("tmpfs", path, "tmpfs", 0, "size=\(bytes)") == 0
  }

  /// Makes a folder refuse all changes, even those of root.
  static func makeReadOnly(_ path: String) -> Bool {
    guard let mount = function("mount", as: Mount.self) else { return false }
    return mount(path, path, nil, bind, nil) == 0
      && mount(path, path, nil, bind | remount | readOnly, nil) == 0
  }

  /// Whether this process may do all that: asked of a child, which is changed by trying.
  static let canMount: Bool = {
    #if os(Linux)
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    child.arguments = ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]
    child.standardError = FileHandle.nullDevice
    do { try child.run() } catch { return false }
    child.waitUntilExit()
    return child.terminationStatus == 0
    #else
    return false
    #endif
  }()
}
