import Catalog
import EventStore
import Foundation
import IngestLog

/// Writes one backup: copies file by file, with their digests, and leaves nothing when it is stopped.
final class BackupWriter {
  static let markName = "unfinished"
  private static let pieceBytes = 4 << 20

  private let data: DataFolder
  private let path: String
  private let mark: String
  private let progress: (Backup.Step) throws -> Void
  private let totalBytes: UInt64
  private var copiedBytes: UInt64 = 0
  private var files: [Backup.Manifest.File] = []
  private var erasures: [ErasureEntry] = []

  private var target: String { path + "/" + Backup.filesName }
  /// Those that SQLite writes into; copied by it.
  private var databases: [String] { [data.state, data.endpoints, data.catalogue].map(name) }

  /// - Throws: `BackupError.notEmpty` when there is something else in the place, `inside` when it is the
  ///   data folder's own.
  init(
    of data: DataFolder,
    at path: String,
    mark: String,
    _ progress: @escaping (Backup.Step) throws -> Void
  ) throws {
    let path = URL(fileURLWithPath: path).standardizedFileURL.path
    self.data = data
    self.path = path
    self.mark = mark
    self.progress = progress
    totalBytes = DiskSpace.used(at: data.path)
    let (target, folder) = (Self.real(path) + "/", Self.real(data.path) + "/")
    // Where copies go that were asked for without a place of their own, no copy is made of.
    guard !target.hasPrefix(folder) || target.hasPrefix(Self.real(data.backups) + "/") else {
      throw BackupError.inside(path: path)
    }
    try Self.makeRoom(at: path, mark: mark)
  }

  /// Runs the copying and writes the list, last of all: a backup without it was not finished.
  func write(_ copying: (BackupWriter) throws -> Void) throws -> Backup.Manifest {
    let markPath = path + "/" + Self.markName
    // The mark is there before anything else and goes after everything else: whenever the program is
    // killed, the next attempt knows whose it is.
    try Backup.makeFolder(path)
    guard
      FileManager.default.createFile(
        atPath: markPath,
        contents: Data(mark.utf8),
        attributes: [.posixPermissions: 0o600]
      )
    else { throw BackupError.unwritable(path: path, reason: String(cString: strerror(errno))) }
    do {
      try Backup.makeFolder(target)
      try copying(self)
    } catch {
      try Self.clear(path)
      throw error
    }
    let manifest = Backup.Manifest(
      disk: Versions.disk,
      program: Versions.summary,
      madeAtMs: WallClock.milliseconds(),
      files: files,
      erasures: erasures,
      mark: mark
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(manifest)
      .write(to: URL(fileURLWithPath: path + "/" + Backup.manifestName), options: .atomic)
    try FileManager.default.removeItem(atPath: markPath)
    return manifest
  }

  /// The names of all files but the store's and the databases; the log's in their order.
  func others() throws -> [String] {
    try names { !databases.contains($0) && !$0.hasPrefix(name(data.store)) }
  }

  /// The names of the store's files; of one that nobody has open.
  func storeFiles() throws -> [String] { try names { $0.hasPrefix(name(data.store)) } }

  /// Copies the store while nothing is written to it.
  func copyStore(_ store: any EventStore) throws {
    for name in try store.copyFiles(to: target, { try copyBytes($0, to: $1) }) { try note(name) }
  }

  /// Copies a file.
  func copy(_ name: String) throws {
    try copyBytes(data.path + "/" + name, to: target + "/" + name)
    try note(name)
  }

  /// Copies what SQLite writes, the catalogue last, without jobs that a restored server would do again.
  func copyDatabases() throws {
    for name in databases where FileManager.default.fileExists(atPath: data.path + "/" + name) {
      try progress(step(name))
      let copy = target + "/" + name
      try DatabaseFile.copy(data.path + "/" + name, to: copy)
      if name == self.name(data.catalogue) { erasures = try finish(copy) }
      try note(name)
    }
  }

  private func finish(_ copy: String) throws -> [ErasureEntry] {
    let list = try {
      let catalog = try Catalog(path: copy)
      try catalog.forgetJobsOfCopy()
      return try catalog.erasures()
    }()
    // Closed by now, it has left nothing beside it.
    for name in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: copy + name) {
      try FileManager.default.removeItem(atPath: copy + name)
    }
    return list
  }

  // MARK: One file

  private func copyBytes(_ source: String, to copy: String) throws {
    let folder = URL(fileURLWithPath: copy).deletingLastPathComponent().path
    try Backup.makeFolder(folder)
    try progress(step(name(source)))
    guard
      FileManager.default.createFile(
        atPath: copy,
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      )
    else { throw BackupError.unwritable(path: copy, reason: String(cString: strerror(errno))) }
    let from = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
    let to = try FileHandle(forWritingTo: URL(fileURLWithPath: copy))
    while let piece = try from.read(upToCount: Self.pieceBytes), !piece.isEmpty {
      try to.write(contentsOf: piece)
      copiedBytes += UInt64(piece.count)
      if piece.count == Self.pieceBytes { try progress(step(name(source))) }
    }
    try from.close()
    try to.synchronize()
    try to.close()
  }

  private func note(_ name: String) throws {
    let copy = target + "/" + name
    files.append(
      Backup.Manifest.File(
        name: name,
        bytes: DiskSpace.size(of: copy),
        sha256: try FileDigest.sha256(ofFile: copy)
      )
    )
  }

  private func step(_ name: String) -> Backup.Step {
    let fraction = totalBytes == 0 ? 0 : Double(copiedBytes) / Double(totalBytes)
    return Backup.Step(file: name, fraction: min(1, fraction))
  }

  private func name(_ path: String) -> String { String(path.dropFirst(data.path.count + 1)) }

  private func names(where isMeant: (String) -> Bool) throws -> [String] {
    guard let walk = FileManager.default.enumerator(atPath: data.path) else { return [] }
    var names: [String] = []
    for case let name as String in walk {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: data.path + "/" + name,
        isDirectory: &isFolder
      )
      if exists, !isFolder.boolValue, data.isBackedUp(name), isMeant(name) { names.append(name) }
    }
    return names.sorted()
  }

  // MARK: The place

  /// A path without links, however much of it is there.
  private static func real(_ path: String) -> String {
    var folder = URL(fileURLWithPath: path)
    var missing: [String] = []
    while folder.path != "/", !FileManager.default.fileExists(atPath: folder.path) {
      missing.insert(folder.lastPathComponent, at: 0)
      folder.deleteLastPathComponent()
    }
    guard let found = realpath(folder.path, nil) else { return path }
    defer { free(found) }
    return ([String(cString: found)] + missing).joined(separator: "/")
  }

  /// Removes what an earlier attempt of the same copy left; anything else stays and is refused.
  private static func makeRoom(at path: String, mark: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    let markPath = path + "/" + markName
    if FileManager.default.fileExists(atPath: markPath) {
      let left = try Data(contentsOf: URL(fileURLWithPath: markPath))
      // A mark that was made and not written yet says nothing, and there is nothing beside it.
      let isAlone = try Backup.names(in: path) == [markName]
      if left == Data(mark.utf8) || left.isEmpty && isAlone { return try clear(path) }
    }
    guard try Backup.names(in: path).isEmpty else { throw BackupError.notEmpty(path: path) }
  }

  /// Removes an unfinished copy, its mark last.
  private static func clear(_ path: String) throws {
    let files = FileManager.default
    for name in try files.contentsOfDirectory(atPath: path) where name != markName {
      try files.removeItem(atPath: path + "/" + name)
    }
    try files.removeItem(atPath: path)
  }
}
