#if canImport(Network) && !os(watchOS)
import FootfallPlatform
import Dispatch
import FootfallSystem
import Network

/// Connectivity on iOS, macOS, tvOS and visionOS: what the system's path monitor says.
///
/// Not for watchOS, where a failed request is what says that there is no network.
package final class PathConnectivity: Connectivity {
  private let monitor = Lock<NWPathMonitor?>(nil)

  /// Makes an adapter that watches nothing yet.
  package init() {}

  deinit { stop() }

  /// Starts telling; see `Connectivity`.
  package func start(_ observer: @escaping @Sendable (_ isOnline: Bool?) -> Void) {
    stop()
    let told = Lock<Bool??>(.none)
    let started = NWPathMonitor()
    started.pathUpdateHandler = { path in
      let present = Self.isOnline(path.status)
      // The monitor also tells of changes that make no difference here.
      let isNew = told.withLock { told in
        defer { told = .some(present) }
        return told != .some(present)
      }
      if isNew { observer(present) }
    }
    monitor.withLock { $0 = started }
    started.start(queue: DispatchQueue(label: "footfall.connectivity", qos: .utility))
  }

  /// Stops telling; see `Connectivity`.
  package func stop() {
    let stopped = monitor.withLock { monitor in
      defer { monitor = nil }
      return monitor
    }
    stopped?.cancel()
  }

  private static func isOnline(_ status: NWPath.Status) -> Bool? {
    switch status {
    case .satisfied: true
    case .unsatisfied: false
    // A request may bring the connection up.
    case .requiresConnection: nil
    @unknown default: nil
    }
  }
}
#endif
