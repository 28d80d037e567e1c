public import Catalog
import FootfallJournal
import Foundation
import IngestLog

/// A copy of a data folder that is known to be whole: its files and a list of them with their digests.
///
///     manifest.json     what was copied when, by which program
///     files/            the files, named as in the data folder
///
/// The list also says what had been erased by then. A copy made before an erasure has what was erased:
/// `restore` takes the list of a later copy, and whoever opens the folder next erases it again before
/// anything else.
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
    /// What had been erased by then, naming nobody; nil in a copy of an older program.
    public var erasures: [ErasureEntry]?
    /// Whose it is, so that a job that was stopped right behind its copy knows that it is done; nil in a
    /// copy of an older program.
    public var mark: String?
  }

  /// How far a copy is.
  public struct Step: Sendable, Hashable {
    /// The file that is copied, by its name in the data folder.
    public let file: String
    /// The part that is copied, from 0 to 1.
    public let fraction: Double
  }

  static let manifestName = "manifest.json"
  static let filesName = "files"

  /// Copies a data folder of which no server runs.
  ///
  /// - Parameters:
  ///   - data: the data folder.
  ///   - path: the backup's folder; must not exist, or be empty.
  ///   - progress: told how far it is, before each file and within large ones.
  /// - Returns: What was copied.
  /// - Throws: `StartError.held` while a server runs, `BackupError`.
  @discardableResult
  public static func make(
    of data: DataFolder,
    at path: String,
    progress: @escaping (Step) throws -> Void = { _ in }
  ) throws -> Manifest {
    try data.checkExisting()
    // Who has the log has the folder: nothing changes while it is held.
    let log = try Server.openLog(of: data, keepsItself: false)
    defer { log.close() }
    try data.checkCatalogue()
    let writer = try BackupWriter(of: data, at: path, mark: "\(log.id)", progress)
    return try writer.write { writer in
      // Whatever makes a later version a store is among the other files.
      for name in try writer.others() + writer.storeFiles() { try writer.copy(name) }
      try writer.copyDatabases()
    }
  }

  /// Copies the data folder of the server in this process, which goes on meanwhile.
  ///
  /// The order makes the copy whole: the store first; then the log, which has all that came since; then
  /// what protocols must know to answer, which is kept before each record; last the catalogue.
  ///
  /// - Parameters:
  ///   - data: the data folder.
  ///   - path: the backup's folder; must not exist, be empty, or hold what an earlier attempt left.
  ///   - parts: the opened parts.
  ///   - mark: by which a later attempt knows what this one left.
  ///   - progress: told how far it is; what it throws stops it, and nothing is left.
  /// - Returns: What was copied.
  /// - Throws: `BackupError`, or what the parts say.
  static func make(
    of data: DataFolder,
    at path: String,
    from parts: OpenedData,
    mark: String,
    progress: @escaping (Step) throws -> Void
  ) throws -> Manifest {
    if let done = finished(at: path, mark: mark) { return done }
    let writer = try BackupWriter(of: data, at: path, mark: mark, progress)
    return try writer.write { writer in
      try parts.log.holdingSegments {
        try writer.copyStore(parts.opened.store)
        for name in try writer.others() { try writer.copy(name) }
      }
      try writer.copyDatabases()
    }
  }

  /// What a backup or a data folder says of what was erased.
  ///
  /// - Throws: `BackupError.noEraseList` when it is neither, or what SQLite says.
  public static func erasures(at path: String) throws -> [ErasureEntry] {
    let catalogue = DataFolder(path: path).catalogue
    if FileManager.default.fileExists(atPath: catalogue) {
      return try Catalog(path: catalogue).erasures()
    }
    guard let list = try read(path).erasures else { throw BackupError.noEraseList(path: path) }
    return list
  }

  /// Reads a backup and checks every file of it.
  ///
  /// - Throws: `BackupError`, which names the first file that is missing or was changed.
  @discardableResult
  public static func verify(
    _ path: String,
    progress: (String) -> Void = { _ in }
  ) throws -> Manifest {
    let manifest = try read(path)
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

  /// What an earlier attempt of the same copy finished before it could say so; nil where there is none.
  static func finished(at path: String, mark: String) -> Manifest? {
    let markPath = path + "/" + BackupWriter.markName
    guard !FileManager.default.fileExists(atPath: markPath) else { return nil }
    do {
      let manifest = try read(path)
      return manifest.mark == mark ? manifest : nil
    } catch {
      // Whatever is there instead, the writer refuses it by name.
      return nil
    }
  }

  private static func read(_ path: String) throws -> Manifest {
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
    return manifest
  }

  /// Makes a data folder from a backup, after checking all of it.
  ///
  /// What was erased stays so: what the backup's own list or `erased` has and its catalogue has not is
  /// erased by whoever opens the folder next (`StoppedServer`, `Server`), before anything is read. What
  /// was erased later than either list says is in the folder again.
  ///
  /// - Parameters:
  ///   - path: the backup.
  ///   - data: the data folder; must not exist, or be empty.
  ///   - erased: what was erased after the backup was made, see `erasures`.
  ///   - progress: told each file's name before it is copied.
  /// - Returns: What was restored.
  /// - Throws: `BackupError`; the data folder is not touched by a backup that is not whole.
  @discardableResult
  public static func restore(
    _ path: String,
    to data: DataFolder,
    erased: [ErasureEntry] = [],
    progress: (String) -> Void = { _ in }
  ) throws -> Manifest {
    try requireNew(data.path)
    let manifest = try verify(path)
    try makeFolder(data.path)
    for file in manifest.files.filter({ $0.name != "format" }) {
      try put(file, of: path, into: data, progress)
    }
    let list = (manifest.erasures ?? []) + erased
    if !list.isEmpty { _ = try Catalog(path: data.catalogue).addErasures(list) }
    // The format comes last: a folder in which it is missing was not finished and is refused.
    for file in manifest.files.filter({ $0.name == "format" }) {
      try put(file, of: path, into: data, progress)
    }
    return manifest
  }

  private static func put(
    _ file: Manifest.File,
    of path: String,
    into data: DataFolder,
    _ progress: (String) -> Void
  ) throws {
    progress(file.name)
    let target = data.path + "/" + file.name
    try makeFolder(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    try FileManager.default.copyItem(
      atPath: path + "/" + filesName + "/" + file.name,
      toPath: target
    )
  }

  /// Checks that there is a folder, or that one can be made there as far as names go.
  ///
  /// - Parameter path: where a backup is to be put.
  /// - Throws: `BackupError.noFolder` when the place, or what it is to lie in, is a file or a device.
  public static func checkPlace(_ path: String) throws(BackupError) {
    var place = URL(fileURLWithPath: path).standardizedFileURL
    while place.path != "/", !FileManager.default.fileExists(atPath: place.path) {
      place.deleteLastPathComponent()
    }
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder)
    guard isFolder.boolValue else { throw .noFolder(path: place.path) }
  }

  // MARK: Files

  private static func requireNew(_ path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    guard try names(in: path).isEmpty else { throw BackupError.notEmpty(path: path) }
  }

  /// What is in a folder that is there.
  ///
  /// - Throws: `BackupError` for what is none, or may not be looked into.
  static func names(in path: String) throws(BackupError) -> [String] {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard isFolder.boolValue else { throw .noFolder(path: path) }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw .unwritable(path: path, reason: reason(error))
    }
  }

  static func makeFolder(_ path: String) throws(BackupError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      throw .unwritable(path: path, reason: reason(error))
    }
  }

  /// What the system says, in its own words.
  private static func reason(_ error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
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
  /// What is in the place where it was to be put is no folder.
  case noFolder(path: String)
  /// It would lie within what it copies.
  case inside(path: String)
  /// It has no list of its files, which is written last.
  case unfinished(path: String, reason: String)
  /// A later program made it.
  case newer(path: String, program: String)
  /// A file of it could not be written.
  case unwritable(path: String, reason: String)
  /// It has no list of what was erased.
  case noEraseList(path: String)
  /// One of its files is missing or was changed.
  case damaged(file: String, reason: String)

  /// What happened and what to do, as a sentence.
  public var description: String {
    switch self {
    case .notEmpty(let path): "\(path) is not empty and was left alone. Name a new folder."
    case .noFolder(let path): "\(path) is no folder and was left alone. Name a new folder."
    case .inside(let path): "\(path) is in the data folder itself. Name a folder elsewhere."
    case .unfinished(let path, let reason):
      "\(path) is no finished backup: its manifest.json cannot be read (\(reason))."
    case .newer(let path, let program):
      "The backup \(path) was made by \(program); restore it with that program or a later one."
    case .unwritable(let path, let reason):
      "\(path) could not be written: \(reason). Name a folder in a place that this user may write, with room."
    case .noEraseList(let path):
      "\(path) does not say what was erased: name a data folder or a backup made by this version or a later one."
    case .damaged(let file, let reason):
      "The backup is damaged: \(file): \(reason). Nothing was restored."
    }
  }
}
