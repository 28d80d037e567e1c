import FootfallCore
import FootfallEngine
import FootfallOutbox
package import FootfallPlatform
import FootfallSystem
package import Foundation

/// The values that Phase's own SDK keeps, so that an app which moves keeps its device, either way.
///
/// On Apple's systems they are in the app's defaults, elsewhere each is a file of the client's folder;
/// every one is JSON. Source: `phase.md` section 5.1.
package struct PhaseStore: Sendable {
  private let read: @Sendable (_ key: String) -> Data?
  private let write: @Sendable (_ key: String, Data) -> Void

  /// The device's id.
  package static let deviceID = "phase-analytics/device-id"
  /// The key it belongs to.
  package static let apiKey = "phase-analytics/api-key"

  /// A store from what reads and writes a value.
  package init(
    read: @escaping @Sendable (_ key: String) -> Data?,
    write: @escaping @Sendable (_ key: String, Data) -> Void
  ) {
    self.read = read
    self.write = write
  }

  /// A text; nil if there is none, or something else.
  package func text(_ key: String) -> String? {
    guard let data = read(key) else { return nil }
    do { return try JSONDecoder().decode(String.self, from: data) } catch {
      // As Phase's SDK has it: what cannot be read counts as not there.
      return nil
    }
  }

  /// Keeps a text, unless it is the one that is there.
  package func set(_ key: String, _ text: String) {
    guard self.text(key) != text else { return }
    do { write(key, try JSONEncoder().encode(text)) } catch {
      // A text is always JSON.
    }
  }

  /// Files in a folder.
  package static func files(in folder: String, of environment: Environment) -> PhaseStore {
    let (files, log) = (environment.files, environment.log)
    return PhaseStore(
      read: { key in
        let path = "\(folder)/\(key)"
        guard files.exists(path) else { return nil }
        do throws(SystemError) { return Data(try files.readAll(path)) } catch {
          log.warning("\(key) cannot be read: \(error)")
          return nil
        }
      },
      write: { key, data in
        do throws(SystemError) {
          try files.makeFolder(folder)
          try files.makeFolder("\(folder)/phase-analytics")
          try files.replace("\(folder)/\(key)", with: Array(data))
        } catch {
          log.warning("\(key) cannot be kept: \(error)")
        }
      }
    )
  }

  /// Where this system has them.
  package static func system(_ environment: Environment) -> PhaseStore {
    #if canImport(Darwin)
    PhaseStore(
      read: { UserDefaults.standard.data(forKey: $0) },
      write: { UserDefaults.standard.set($1, forKey: $0) }
    )
    #else
    files(in: environment.storage.path, of: environment)
    #endif
  }
}

/// What Phase's own SDK remembered, for the first start of this one in its place.
struct PhaseEarlierState: EarlierFormat {
  let store: PhaseStore

  func state(in world: EarlierWorld) -> ClientState? {
    guard let device = store.text(PhaseStore.deviceID) else { return nil }
    var state = ClientState()
    state.deviceID = device
    state.isDeviceKnown = true
    state.key = store.text(PhaseStore.apiKey)
    return state
  }

  /// Its queue is not taken over: it sends that itself as long as the app still links it.
  func places(in world: EarlierWorld) -> [any EarlierPlace] { [] }

  func finish(in world: EarlierWorld) {}
}
