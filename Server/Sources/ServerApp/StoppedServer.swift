public import Catalog
public import EventStore
import EndpointStore
import Foundation
import IngestLog

/// The data of a server that does not run, opened for a command that changes it.
///
/// It holds the data folder, so no server starts meanwhile.
public final class StoppedServer: Sendable {
  /// Projects, keys and users.
  public let catalog: Catalog
  /// The events that were loaded.
  public let store: any EventStore
  /// Erases events.
  public let erasing: Erasing

  private let log: IngestLog
  private let opened: OpenedStore
  private let endpoints: EndpointStore
  private let state: StateStore

  /// Opens the data folder.
  ///
  /// - Throws: `StartError.held` while a server runs on it, or what else keeps it from being opened.
  public init(_ settings: ServerSettings) throws(StartError) {
    try settings.data.checkExisting()
    log = try Server.openLog(settings)
    do {
      catalog = try Catalog(path: settings.data.catalogue)
    } catch {
      throw .part("catalogue", reason: "\(error)")
    }
    do {
      endpoints = try EndpointStore(path: settings.data.endpoints, nowMs: WallClock.milliseconds)
    } catch {
      throw .part("store of endpoints", reason: "\(error)")
    }
    do {
      state = try StateStore(path: settings.data.state)
    } catch {
      throw .part("state", reason: "\(error)")
    }
    opened = try OpenedStore(settings)
    store = opened.store
    erasing = Erasing(
      catalog: catalog,
      store: store,
      log: log,
      endpoints: endpoints,
      state: state
    )
  }

  /// Gives the folder back.
  public func close() {
    opened.close()
    endpoints.close()
    state.close()
    log.close()
  }
}
