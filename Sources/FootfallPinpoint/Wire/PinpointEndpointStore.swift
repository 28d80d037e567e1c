package import FootfallPlatform
package import FootfallSystem
import Foundation

/// Keeps the endpoint from run to run, for one app id.
///
/// Any thread. What is said counts at once and is written soon after, on a queue of the store's own:
/// no caller waits for the disk. Source: `aws.md` section 3.4, scenarios T4 and T5.
package final class PinpointEndpointStore: Sendable {
  private struct Kept: Codable {
    var appID: String
    var endpoint: PinpointEndpoint
  }

  private struct State {
    var endpoint = PinpointEndpoint()
    /// Whether the file is behind.
    var isChanged = false
    /// Whether the queue is about to write.
    var isWriting = false
  }

  private let path: String
  private let folder: String
  private let appID: String
  private let files: any FileSystem
  private let log: Logger
  private let state = Lock(State())
  /// Held while the file is written, so that no older endpoint comes after a newer one.
  private let file = Lock(())
  private let queue = DispatchQueue(label: "footfall.pinpoint.endpoint", qos: .utility)

  /// The file's name in the client's folder.
  package static let fileName = "endpoint.json"

  /// What a folder has for an app id; nothing is known if that is another's or cannot be read.
  package init(
    folder: String,
    appID: String,
    files: any FileSystem,
    log: Logger = .silent
  ) {
    self.folder = folder
    self.appID = appID
    self.files = files
    self.log = log
    path = folder + "/" + Self.fileName
    guard files.exists(path) else { return }
    do {
      let read = try JSONDecoder().decode(Kept.self, from: Data(files.readAll(path)))
      if read.appID == appID { state.withLock { $0.endpoint = read.endpoint } }
    } catch let error as SystemError {
      log.warning("What was kept of the endpoint cannot be read: \(error)")
    } catch {
      // Not the error itself, which may say what stands there.
      log.warning("What was kept of the endpoint is damaged; it is said anew.")
    }
  }

  /// The endpoint as it is now.
  package var endpoint: PinpointEndpoint { state.withLock { $0.endpoint } }

  /// The endpoint as it is now, once it is on disk as far as that is possible: what a service is told
  /// is known after a relaunch too.
  package var storedEndpoint: PinpointEndpoint {
    writeIfChanged()
    return endpoint
  }

  /// Changes the endpoint, and has it stored soon; it counts at once, stored or not.
  ///
  /// `change` runs inside a lock: it does nothing but set values.
  @discardableResult
  package func change<Result>(_ change: (inout PinpointEndpoint) -> Result) -> Result {
    let (result, isFirst) = state.withLock { state in
      let result = change(&state.endpoint)
      defer { (state.isChanged, state.isWriting) = (true, true) }
      return (result, !state.isWriting)
    }
    // Several changes in a row are written once.
    if isFirst { queue.async { [self] in writeIfChanged() } }
    return result
  }

  /// Writes what changed since the last time; blocks for that, and for a writer under way.
  package func writeIfChanged() {
    // Nothing that is left to write may still be on its way to the disk, so the lock comes first.
    file.withLock { _ in
      let changed: PinpointEndpoint? = state.withLock { state in
        guard state.isChanged else { return nil }
        (state.isChanged, state.isWriting) = (false, false)
        return state.endpoint
      }
      if let changed { write(changed) }
    }
  }

  private func write(_ endpoint: PinpointEndpoint) {
    do {
      let data = try JSONEncoder().encode(Kept(appID: appID, endpoint: endpoint))
      try files.makeFolder(folder)
      try files.replace(path, with: Array(data))
    } catch let error as SystemError {
      log.warning("The endpoint could not be stored; it is with its next change: \(error)")
    } catch {
      log.warning("The endpoint could not be stored; it is with its next change.")
    }
  }

  /// The service has taken the endpoint up to a revision.
  package func taken(_ revision: Int) {
    guard !endpoint.removed.isEmpty else { return }
    change { $0.taken(revision) }
  }
}
