public import Catalog
public import EventStore

/// The data of a server that does not run, opened for a command that changes it.
///
/// It holds the data folder, so no server starts meanwhile.
public final class StoppedServer: Sendable {
  /// Projects, keys and users.
  public var catalog: Catalog { data.catalog }
  /// The events that were loaded.
  public var store: any EventStore { data.opened.store }
  /// Erases events.
  public var erasing: Erasing { data.erasing }

  private let data: OpenedData

  /// Opens the data folder, and erases what was to be erased and is not yet, as a server's start does.
  ///
  /// - Throws: `StartError.held` while a server runs on it, or what else keeps it from being opened.
  public init(_ settings: ServerSettings) throws(StartError) {
    try settings.data.checkExisting()
    data = try OpenedData(settings) { (settings) throws(StartError) in try OpenedStore(settings) }
    do {
      _ = try data.erasing.resume()
    } catch {
      data.close()
      throw .part("erasing of what was to be erased before", reason: String(describing: error))
    }
  }

  /// The store alone, for a command that reads it, once it has nothing any more that was erased.
  ///
  /// - Throws: `StartError.storeInUse` while a server runs on it, or what else keeps it from being opened.
  public static func store(_ settings: ServerSettings) throws(StartError) -> OpenedStore {
    let store = try OpenedStore(settings)
    let isBehind: Bool
    do {
      let written = try WrittenErasure.all(in: Catalog(path: settings.data.catalogue))
      let done = try written.isEmpty ? [] : store.store.erasuresDone()
      isBehind = !written.allSatisfy { done.contains($0.erasure.id) }
    } catch {
      store.close()
      throw .part("list of what was erased", reason: String(describing: error))
    }
    guard isBehind else { return store }
    store.close()
    try StoppedServer(settings).close()
    return try OpenedStore(settings)
  }

  /// Gives the folder back.
  public func close() { data.close() }
}
