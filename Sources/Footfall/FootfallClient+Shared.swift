public import Foundation

extension FootfallClient {
  /// The client for apps that want one for all.
  ///
  /// Can be used before `configure`: up to 50,000 events then wait in memory. A process that never
  /// configures it loses them.
  public static let shared = FootfallClient()

  /// Starts the shared client; only the first call counts, later ones do nothing.
  ///
  /// - Parameters:
  ///   - key: The project's ingest key, `ff_pub_…`.
  ///   - endpoint: The server's address.
  public static func configure(key: String, endpoint: URL) {
    configure(Configuration(key: key, endpoint: endpoint))
  }

  /// Starts the shared client with a configuration; only the first call counts.
  public static func configure(_ configuration: Configuration) {
    if !shared.start(configuration, in: { liveEnvironment(configuration) }) {
      log(configuration).warning("The shared client was configured before; this call does nothing.")
    }
  }
}
