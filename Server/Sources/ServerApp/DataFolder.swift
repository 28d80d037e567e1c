import Foundation

/// The one folder in which a server keeps everything, and where each part lies in it.
///
///     format            the layout's version and the program that wrote it
///     address           how people reach the server that ran last
///     catalogue.sqlite  projects, keys, users
///     master.key        what AWS secrets in it are encrypted under; to be kept apart from backups
///     state.sqlite      what protocols must know to answer: registered devices, open sessions
///     endpoints.sqlite  Pinpoint's endpoints
///     log/              the ingest log, the truth until loaded
///     events.duckdb     the store; beside it a new one while it is written anew
///     poison/           records that could not be loaded
///     losses            what was found to be lost, until someone deletes it
///     pulse             touched by the server while it has jobs to do
///     exports/          files with events that were asked for, for a day
///     uploads/          files that were sent to be imported, until they are
///     backups/          copies of all this that were asked for without a place of their own
///     tmp/              scratch space of the store
public struct DataFolder: Sendable {
  /// The folder's path as given, made absolute.
  public let path: String

  /// The catalogue's database file.
  public var catalogue: String { path + "/catalogue.sqlite" }
  /// The database file of what protocols must know to answer.
  public var state: String { path + "/state.sqlite" }
  /// The database file of Pinpoint's endpoints.
  public var endpoints: String { path + "/endpoints.sqlite" }
  /// The ingest log's folder.
  public var log: String { path + "/log" }
  /// The store's database file.
  public var store: String { path + "/events.duckdb" }
  /// What AWS secrets in the catalogue are encrypted under; no part of a backup.
  public var masterKey: String { path + "/master.key" }
  /// What was found to be lost, for people; there only when something was.
  public var losses: String { path + "/losses" }
  /// What a server that has jobs to do touches, for whoever waits for one.
  public var pulse: ServerPulse { ServerPulse(path: path + "/pulse") }
  /// Where records go that cannot be loaded.
  public var poison: String { path + "/poison" }
  /// Files with events that were asked for.
  public var exports: String { path + "/exports" }
  /// Files that were sent to be imported.
  public var uploads: String { path + "/uploads" }
  /// Copies that were asked for without a place of their own.
  public var backups: String { path + "/backups" }
  /// Where the operator's file of places is copied for the moment in which it is opened.
  public var placesCopy: String { path + "/places.part" }
  /// Scratch space for queries that outgrow memory.
  public var scratch: String { path + "/tmp" }

  /// Whether a file, named by its path within the folder, belongs into a backup.
  ///
  /// All does that is not known to be a secret, scratch, or of this machine: what a later version keeps
  /// here is backed up, too.
  func isBackedUp(_ name: String) -> Bool {
    let first = name.split(separator: "/").first.map(String.init) ?? name
    let left = [
      "address", "master.key", "tmp", "events.duckdb.tmp", "events.duckdb.unpacked",
      "events.duckdb.new", "events.duckdb.new.wal", "exports", "uploads", "backups", "places.part",
      "pulse",
    ]
    return !left.contains(first) && !name.hasSuffix(".lock") && !name.hasSuffix("/lock")
      && !name.hasSuffix("-wal") && !name.hasSuffix("-shm") && !name.hasPrefix("master.key.")
  }

  private var format: String { path + "/format" }
  private var addressFile: String { path + "/address" }

  /// Names a folder without touching it.
  public init(path: String) {
    self.path = URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// Creates the folder where it is missing and checks that this program understands its layout.
  ///
  /// - Throws: `StartError.newerDataFolder` when a later program wrote it, `StartError.foreignFolder`
  ///   when it holds something else, `StartError.folder` when it cannot be made or written.
  public func prepare() throws(StartError) {
    switch try found() {
    case .some(let version) where version > Versions.disk:
      throw .newerDataFolder(path: path, found: version, supported: Versions.disk)
    case .some:
      break
    case nil:
      try create()
    }
  }

  /// Checks that the folder exists and can be read by this program, without creating anything.
  public func checkExisting() throws(StartError) {
    guard let version = try found() else { throw .noDataFolder(path: path) }
    guard version <= Versions.disk else {
      throw .newerDataFolder(path: path, found: version, supported: Versions.disk)
    }
  }

  /// Keeps how people reach the server, for commands that print links to it.
  ///
  /// - Throws: `StartError.folder` when it cannot be written.
  public func note(address: String) throws(StartError) {
    do {
      try (address + "\n").write(toFile: addressFile, atomically: true, encoding: .utf8)
    } catch {
      throw .folder(path: addressFile, reason: error.localizedDescription)
    }
  }

  /// How people reach the server that ran last, or nil where none has run.
  ///
  /// - Throws: `StartError.folder` when it was kept and cannot be read.
  public func lastAddress() throws(StartError) -> String? {
    guard FileManager.default.fileExists(atPath: addressFile) else { return nil }
    do {
      let text = try String(contentsOfFile: addressFile, encoding: .utf8)
      return text.split(separator: "\n").first.map(String.init)
    } catch {
      throw .folder(path: addressFile, reason: error.localizedDescription)
    }
  }

  /// The layout's version, or nil where the folder is missing or empty.
  private func found() throws(StartError) -> Int? {
    let files = FileManager.default
    var isDirectory: ObjCBool = false
    guard files.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
    guard isDirectory.boolValue else { throw .folder(path: path, reason: "it is a file") }
    guard files.fileExists(atPath: format) else {
      let names = Self.names(in: path)
      guard names.allSatisfy({ $0.hasPrefix(".") || $0 == "lost+found" }) else {
        throw .foreignFolder(path: path, example: names.sorted().first ?? "")
      }
      return nil
    }
    let text: String
    do {
      text = try String(contentsOfFile: format, encoding: .utf8)
    } catch {
      throw .folder(path: format, reason: error.localizedDescription)
    }
    guard let version = text.split(separator: "\n").first.flatMap({ Int($0) }), version > 0 else {
      throw .folder(path: format, reason: "its first line is not a version number")
    }
    return version
  }

  private func create() throws(StartError) {
    do {
      // Only the owner may look inside: the catalogue holds keys and the store what people do.
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
      // An empty folder may have been made for us; where it is someone else's, it stays as it is.
      chmod(path, 0o700)
      try "\(Versions.disk)\n\(Versions.summary)\n".write(
        toFile: format,
        atomically: true,
        encoding: .utf8
      )
    } catch {
      throw .folder(path: path, reason: error.localizedDescription)
    }
  }

  private static func names(in folder: String) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      return ["(unreadable: \(error.localizedDescription))"]
    }
  }
}
