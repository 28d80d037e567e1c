import Catalog
import EndpointStore
import EventStore
import FootfallJournal
import IngestLog
import Loader

/// All parts of a data folder, opened: what a server works on, and a command while none runs.
///
/// Whoever has it has the folder.
struct OpenedData: Sendable {
  let log: IngestLog
  let catalog: Catalog
  let state: StateStore
  let endpoints: EndpointStore
  let setAside: PoisonFolder
  let opened: OpenedStore
  let erasing: Erasing

  /// Opens them, the log first.
  ///
  /// - Parameters:
  ///   - settings: Where they lie.
  ///   - open: Opens the store.
  /// - Throws: `StartError`, which names the part.
  init(
    _ settings: ServerSettings,
    store open: (ServerSettings) throws(StartError) -> OpenedStore
  ) throws(StartError) {
    let data = settings.data
    let isLogLost = data.isLogLost
    log = try Server.openLog(settings)
    try data.checkCatalogue()
    catalog = try StartError.part("catalogue") { try Self.soundCatalogue(data.catalogue) }
    state = try StartError.part("state") { try StateStore(path: data.state) }
    endpoints = try StartError.part("store of endpoints") {
      try EndpointStore(path: data.endpoints, nowMs: WallClock.milliseconds)
    }
    setAside = PoisonFolder(path: data.poison)
    opened = try open(settings)
    erasing = Erasing(
      catalog: catalog,
      store: opened.store,
      log: log,
      endpoints: endpoints,
      state: state,
      setAside: setAside,
      data: data
    )
    if isLogLost {
      try StartError.part("ingest log") { try LossNote(data).add([LogReview.wholeLog]) }
    }
    if opened.problem == nil { try Self.review(log, opened.store, LossNote(data)) }
  }

  /// A catalogue that SQLite has read through: half of one would hand out keys and projects that are wrong.
  private static func soundCatalogue(_ path: String) throws -> Catalog {
    let catalog = try Catalog(path: path)
    let damages = try DatabaseFile.damages(path)
    guard damages.isEmpty else { throw DamagedFile(path: path, damages: damages) }
    return catalog
  }

  /// Has new records lie beyond what the store knows, and keeps what turns out to be missing.
  ///
  /// A store that does not answer now is asked by the loader; what is missing is said by the next start.
  static func review(
    _ log: IngestLog,
    _ store: any EventStore,
    _ note: LossNote
  ) throws(StartError) {
    let position: JournalPosition?
    do { position = try store.position(ofLog: log.id) } catch { return }
    try StartError.part("ingest log") {
      if let position { _ = try log.goOn(beyond: position) }
      try note.add(LogReview(log.recovery, loadedUpTo: position).losses)
    }
  }

  /// Gives the folder back; the log last.
  func close() {
    opened.close()
    endpoints.close()
    state.close()
    log.close()
  }
}

/// A database file in which SQLite found damage.
struct DamagedFile: Error, CustomStringConvertible {
  let path: String
  let damages: [String]

  var description: String {
    "\(path) is damaged: \(damages.joined(separator: "; ")). Restore it from a backup."
  }
}

extension StartError {
  /// Runs a step of starting; what it throws becomes a `StartError` that names the part.
  static func part<Made>(
    _ name: String,
    _ make: () throws -> Made
  ) throws(StartError) -> Made {
    do {
      return try make()
    } catch {
      throw .part(name, reason: String(describing: error))
    }
  }
}
