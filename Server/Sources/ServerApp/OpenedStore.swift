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
    throw Self.error(problem, settings)
  }

  private static func error(_ problem: String, _ settings: ServerSettings) -> StartError {
    // DuckDB has no code for it, only these words.
    problem.contains("Could not set lock on file")
      ? .storeInUse(path: settings.data.path) : .part("event store", reason: problem)
  }

  private init(store: any EventStore, problem: String?) {
    self.store = store
    self.problem = problem
  }

  /// Opens the store; without its library, or with a damaged file, events are still taken, and a file
  /// that becomes readable is found without a restart.
  static func open(_ settings: ServerSettings, isPatient: Bool = true) -> OpenedStore {
    guard let library = library(settings) else {
      return OpenedStore(
        store: UnavailableEventStore(reason: .unavailable(noLibrary)),
        problem: noLibrary
      )
    }
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

  /// Looks into the file without changing it; the server that writes it must not be running.
  ///
  /// - Throws: `StartError.storeInUse` while somebody writes it, `StartError.part` when it cannot be read for
  ///   another reason.
  static func inspect(_ settings: ServerSettings) throws(StartError) -> StoreInspection {
    guard let library = library(settings) else { throw error(noLibrary, settings) }
    do throws(StoreError) {
      return try StoreInspection(path: settings.data.store, library: library)
    } catch { throw Self.error(error.description, settings) }
  }

  /// Reads the whole file without changing it; likewise.
  ///
  /// - Throws: As `inspect`.
  static func readThrough(
    _ settings: ServerSettings,
    progress: (String, Double) -> Void
  ) throws(StartError) -> StoreReading {
    guard let library = library(settings) else { throw error(noLibrary, settings) }
    do throws(StoreError) {
      return try StoreInspection.readThrough(
        path: settings.data.store,
        library: library,
        progress: progress
      )
    } catch { throw Self.error(error.description, settings) }
  }

  private static func library(_ settings: ServerSettings) -> String? {
    #if canImport(Darwin)
    settings.share.map { $0 + "/libduckdb.dylib" }
    #else
    settings.share.map { $0 + "/libduckdb.so" }
    #endif
  }

  private static let noLibrary =
    "no folder with libduckdb was found; run script/bootstrap, or name it with --share or $\(ShareFolder.variable)"

  /// Closes it.
  public func close() {
    store.close()
  }
}
