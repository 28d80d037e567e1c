package import FootfallSystem
import Foundation

/// Keeps the endpoint from run to run, for one app id.
///
/// Any thread. Source: `aws.md` section 3.4, scenarios T4 and T5.
package final class PinpointEndpointStore: Sendable {
  private struct Kept: Codable {
    var appID: String
    var endpoint: PinpointEndpoint
  }

  private let path: String
  private let folder: String
  private let appID: String
  private let files: any FileSystem
  private let kept: Lock<PinpointEndpoint>
  /// What went wrong when the file was read or written, as a sentence; nil if nothing did.
  package var problem: String? { lastProblem.withLock { $0 } }
  private let lastProblem = Lock<String?>(nil)

  /// The file's name in the client's folder.
  package static let fileName = "endpoint.json"

  /// What a folder has for an app id; nothing is known if that is another's or cannot be read.
  package init(folder: String, appID: String, files: any FileSystem) {
    self.folder = folder
    self.appID = appID
    self.files = files
    path = folder + "/" + Self.fileName
    kept = Lock(PinpointEndpoint())
    guard files.exists(path) else { return }
    do {
      let read = try JSONDecoder().decode(Kept.self, from: Data(files.readAll(path)))
      if read.appID == appID { kept.withLock { $0 = read.endpoint } }
    } catch {
      lastProblem.withLock { $0 = "The endpoint cannot be read: \(error)" }
    }
  }

  /// The endpoint as it is now.
  package var endpoint: PinpointEndpoint { kept.withLock { $0 } }

  /// Changes the endpoint and stores it; it counts at once, stored or not.
  @discardableResult
  package func change<Result>(_ change: (inout PinpointEndpoint) -> Result) -> Result {
    kept.withLock { endpoint in
      let result = change(&endpoint)
      do {
        let data = try JSONEncoder().encode(Kept(appID: appID, endpoint: endpoint))
        try files.makeFolder(folder)
        try files.replace(path, with: Array(data))
        lastProblem.withLock { $0 = nil }
      } catch {
        lastProblem.withLock { $0 = "The endpoint cannot be stored: \(error)" }
      }
      return result
    }
  }

  /// The service has taken the endpoint up to a revision.
  package func taken(_ revision: Int) {
    guard !endpoint.removed.isEmpty else { return }
    change { $0.taken(revision) }
  }
}
