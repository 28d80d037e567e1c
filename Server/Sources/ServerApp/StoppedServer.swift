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

  /// Opens the data folder.
  ///
  /// - Throws: `StartError.held` while a server runs on it, or what else keeps it from being opened.
  public init(_ settings: ServerSettings) throws(StartError) {
    try settings.data.checkExisting()
    data = try OpenedData(settings) { (settings) throws(StartError) in try OpenedStore(settings) }
  }

  /// Gives the folder back.
  public func close() { data.close() }
}
