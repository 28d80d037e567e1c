import FootfallApple
package import FootfallPlatform
import FootfallSystem
import Foundation

/// The clients of a process: one for each application.
package final class PinpointClients: Sendable {
  private let environment: @Sendable () -> Environment
  private let clients = Lock<[String: PinpointCore]>([:])
  /// Held while a client is made, in which the app's own code may ask for clients.
  private let making = NSRecursiveLock()

  /// No clients yet; each is made in the world that `environment` gives.
  package init(in environment: @escaping @Sendable () -> Environment) {
    self.environment = environment
  }

  /// Those of the real world.
  static let live = PinpointClients { .system() }

  /// The client of an application, made if there is none.
  func client(_ configuration: AWSPinpointConfiguration) -> PinpointCore {
    making.lock()
    defer { making.unlock() }
    if let known = clients.withLock({ $0[configuration.appId] }) { return known }
    return PinpointCore.start(configuration, in: environment()) { core in
      clients.withLock { $0[configuration.appId] = core }
    }
  }
}
