import Catalog
import FootfallJournal
import Foundation
import IngestLog

/// A copy of a data folder that is known to be whole: its files and a list of them with their digests.
///
///     manifest.json     what was copied when, by which program
///     files/            the files, named as in the data folder
///
/// The master key of AWS secrets is left out, so that a backup holds no secret in the clear; keep a copy
/// of it elsewhere. So are scratch files and the address of the last server.
public enum Backup {
  /// What a backup says about itself.
  public struct Manifest: Codable, Sendable {
    /// One file of the backup.
    public struct File: Codable, Sendable {
      /// Its path within the data folder.
      public let name: String
      /// Its size.
      public let bytes: UInt64
      /// Its SHA-256.
      public let sha256: String
    }

    /// The version of this layout.
    public var backup = 1
    /// The layout of the data folder that was copied.
    public let disk: Int
    /// The program that made it.
    public let program: String
    /// When, in milliseconds since 1970.
    public let madeAtMs: Int64
    /// The files.
    public let files: [File]
  }

  private static let manifestName = "manifest.json"
  private static let filesName = "files"

  /// Copies a data folder of which no server runs.
  ///
  /// - Parameters:
  ///   - data: the data folder.
  ///   - path: the backup's folder; must not exist, or be empty.
  ///   - progress: told each file's name before it is copied.
  /// - Returns: What was copied.
  /// - Throws: `StartError.held` while a server runs, `BackupError`.
  @discardableResult
  public static func make(
    of data: DataFolder,
    at path: String,
    progress: (String) -> Void = { _ in }
  ) throws -> Manifest {
    try data.checkExisting()
    try requireNew(path)
    // Who has the log has the folder: nothing changes while it is held.
    let log: IngestLog
    do {
      log = try IngestLog(folder: data.log)
    } catch {
      if case .locked(pid: let pid) = error.cause {
        throw StartError.held(path: data.path, pid: pid)
      }
      throw error
    }
    defer { log.close() }
    let target = path + "/" + filesName
    try makeFolder(target)
    var files: [Manifest.File] = []
    for name in try names(of: data) {
      progress(name)
      files.append(try copy(name, of: data, into: target))
    }
    let manifest = Manifest(
      disk: Versions.disk,
      program: Versions.summary,
      madeAtMs: WallClock.milliseconds(),
      files: files
    )
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Last of all: a backup without it was not finished.
    try encoder.encode(manifest)
      .write(to: URL(fileURLWithPath: path + "/" + manifestName), options: .atomic)
    return manifest
  }

  /// Reads a backup and checks every file of it.
  ///
  /// - Throws: `BackupError`, which names the first file that is missing or was changed.
  @discardableResult
  public static func verify(
    _ path: String,
    progress: (String) -> Void = { _ in }
  ) throws -> Manifest {
    let manifest: Manifest
    do {
      let text = try Data(contentsOf: URL(fileURLWithPath: path + "/" + manifestName))
      manifest = try JSONDecoder().decode(Manifest.self, from: text)
    } catch {
      throw BackupError.unfinished(path: path, reason: error.localizedDescription)
    }
    guard manifest.backup == 1, manifest.disk <= Versions.disk else {
      throw BackupError.newer(path: path, program: manifest.program)
    }
    for file in manifest.files {
      progress(file.name)
      let copy = path + "/" + filesName + "/" + file.name
      guard isInside(file.name), FileManager.default.fileExists(atPath: copy) else {
        throw BackupError.damaged(file: file.name, reason: "it is missing")
      }
      guard DiskSpace.size(of: copy) == file.bytes,
        try FileDigest.sha256(ofFile: copy) == file.sha256
      else { throw BackupError.damaged(file: file.name, reason: "it is not what was copied") }
    }
    return manifest
  }

  /// Makes a data folder from a backup, after checking all of it.
  ///
  /// - Parameters:
  ///   - path: the backup.
  ///   - data: the data folder; must not exist, or be empty.
  ///   - progress: told each file's name before it is copied.
  /// - Returns: What was restored.
  /// - Throws: `BackupError`; the data folder is not touched by a backup that is not whole.
  @discardableResult
  public static func restore(
    _ path: String,
    to data: DataFolder,
    progress: (String) -> Void = { _ in }
  ) throws -> Manifest {
    try requireNew(data.path)
    let manifest = try verify(path)
    try makeFolder(data.path)
    // The format comes last: a folder in which it is missing was not finished and is refused.
    for file in manifest.files.filter({ $0.name != "format" })
      + manifest.files.filter({ $0.name == "format" })
    {
      progress(file.name)
      let target = data.path + "/" + file.name
      try makeFolder(URL(fileURLWithPath: target).deletingLastPathComponent().path)
      try FileManager.default.copyItem(
        atPath: path + "/" + filesName + "/" + file.name,
        toPath: target
      )
    }
    return manifest
  }

  // MARK: Files

  private static func names(of data: DataFolder) throws -> [String] {
    guard let walk = FileManager.default.enumerator(atPath: data.path) else { return [] }
    var names: [String] = []
    for case let name as String in walk {
      var isFolder: ObjCBool = false
      let exists = FileManager.default.fileExists(
        atPath: data.path + "/" + name,
        isDirectory: &isFolder
      )
      if exists, !isFolder.boolValue, data.isBackedUp(name) { names.append(name) }
    }
    return names.sorted()
  }

  private static func copy(
    _ name: String,
    of data: DataFolder,
    into folder: String
  ) throws -> Manifest.File {
    let target = folder + "/" + name
    try makeFolder(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    if data.path + "/" + name == data.catalogue {
      // Other commands may write to it at any time.
      try Catalog(path: data.catalogue).copy(to: target)
    } else {
      try FileManager.default.copyItem(atPath: data.path + "/" + name, toPath: target)
    }
    return Manifest.File(
      name: name,
      bytes: DiskSpace.size(of: target),
      sha256: try FileDigest.sha256(ofFile: target)
    )
  }

  private static func requireNew(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard try FileManager.default.contentsOfDirectory(atPath: path).isEmpty else {
      throw BackupError.notEmpty(path: path)
    }
  }

  private static func makeFolder(_ path: String) throws {
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
  }

  /// Whether a name stays below the folder it is put to.
  private static func isInside(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
  }
}

/// Why a backup was not made or not restored.
public enum BackupError: Error, Sendable, CustomStringConvertible {
  /// There is something in the place where it was to be put.
  case notEmpty(path: String)
  /// It has no list of its files, which is written last.
  case unfinished(path: String, reason: String)
  /// A later program made it.
  case newer(path: String, program: String)
  /// One of its files is missing or was changed.
  case damaged(file: String, reason: String)

  /// What happened and what to do, as a sentence.
  public var description: String {
    switch self {
    case .notEmpty(let path): "\(path) is not empty and was left alone. Name a new folder."
    case .unfinished(let path, let reason):
      "\(path) is no finished backup: its manifest.json cannot be read (\(reason))."
    case .newer(let path, let program):
      "The backup \(path) was made by \(program); restore it with that program or a later one."
    case .damaged(let file, let reason):
      "The backup is damaged: \(file): \(reason). Nothing was restored."
    }
  }
}
