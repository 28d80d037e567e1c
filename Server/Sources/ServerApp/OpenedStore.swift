public import EventStore

import DuckDBStore
import Foundation

/// The store of a data folder, opened, or a stand-in that says why it could not be.
public struct OpenedStore: Sendable {
  /// The store.
  public let store: any EventStore
  /// What is wrong with it, as a sentence; nil when it works.
  public let problem: String?

  /// Opens the store for reading; the server that writes it must not be running.
  ///
  /// - Throws: `StartError.storeInUse` while a server runs, `StartError.part` when it cannot be
  ///   opened for another reason.
  public init(_ settings: ServerSettings) throws(StartError) {
    self = Self.open(settings, isPatient: false)
    guard let problem else { return }
    // DuckDB has no code for it, only these words.
    if problem.contains("Could not set lock on file") {
      throw .storeInUse(path: settings.data.path)
    }
    throw .part("event store", reason: problem)
  }

  private init(store: any EventStore, problem: String?) {
    self.store = store
    self.problem = problem
  }

  /// Opens the store; without its library, or with a damaged file, events are still taken, and a file
  /// that becomes readable is found without a restart.
  static func open(_ settings: ServerSettings, isPatient: Bool = true) -> OpenedStore {
    guard let share = settings.share else {
      let reason =
        "no folder with libduckdb was found; run script/bootstrap, or name it with --share or $\(ShareFolder.variable)"
      return OpenedStore(
        store: UnavailableEventStore(reason: .unavailable(reason)),
        problem: reason
      )
    }
    #if canImport(Darwin)
    let library = share + "/libduckdb.dylib"
    #else
    let library = share + "/libduckdb.so"
    #endif
    do {
      var options = DuckDBOptions()
      options.programVersion = Versions.program
      let store = try DuckDBEventStore(
        path: settings.data.store,
        library: library,
        options: options,
        isPatient: isPatient
      )
      return OpenedStore(store: store, problem: store.openingProblem?.description)
    } catch let error as StoreError {
      return OpenedStore(store: UnavailableEventStore(reason: error), problem: error.description)
    } catch {
      let reason = String(describing: error)
      return OpenedStore(
        store: UnavailableEventStore(reason: .unavailable(reason)),
        problem: reason
      )
    }
  }

  /// Closes it.
  public func close() {
    store.close()
  }
}
