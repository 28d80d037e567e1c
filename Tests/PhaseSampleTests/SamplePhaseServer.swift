import FootfallTesting
import Foundation

/// A server that takes every item, and an app's folder, for one sample in a process of its own.
struct SamplePhaseServer {
  let server: LoopbackServer
  let folder: String

  /// Starts a server; what the process stores from now on is in a folder of this sample.
  init() throws {
    server = try LoopbackServer { request in
      .status(200, Self.answer(to: request.body))
    }
    folder = FileManager.default.temporaryDirectory.path + "/footfall-phase-sample-\(getpid())"
    setenv("XDG_STATE_HOME", folder, 1)
  }

  /// The address for `baseURL`.
  var baseURL: String { server.url("") }

  /// The items of each request.
  var batches: [[SampleItem]] { server.requests.map { Self.items(of: $0.body) } }
  /// The items of all requests.
  var items: [SampleItem] { batches.flatMap(\.self) }

  private static func items(of body: [UInt8]) -> [SampleItem] {
    do {
      let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      return (object?["items"] as? [[String: Any]] ?? []).map { SampleItem($0) }
    } catch {
      return []
    }
  }

  private static func answer(to body: [UInt8]) -> String {
    let results = items(of: body).enumerated().map {
      "{\"clientOrder\":\($0.offset),\"type\":\"\($0.element.type)\",\"id\":\"x\"}"
    }
    return "{\"processed\":\(results.count),\"failed\":0,"
      + "\"results\":[\(results.joined(separator: ","))],\"errors\":[]}"
  }

  /// Whether a text is in any file of the app.
  func isStored(_ text: String) throws -> Bool {
    try FileManager.default.holds(text, below: folder)
  }

  /// Takes the folder away.
  func end() throws {
    server.stop()
    if FileManager.default.fileExists(atPath: folder) {
      try FileManager.default.removeItem(atPath: folder)
    }
  }
}

/// An item as the server sees it; values as JSON writes them.
struct SampleItem {
  let type: String
  let name: String
  let device: String?
  let session: String?
  let isScreen: Bool
  /// The params of an event or the properties of a device; nil if there are none.
  let values: NSDictionary?

  init(_ object: [String: Any]) {
    type = object["type"] as? String ?? ""
    let payload = object["payload"] as? [String: Any] ?? [:]
    name = payload["name"] as? String ?? type
    device = payload["deviceId"] as? String
    session = payload["sessionId"] as? String
    isScreen = payload["isScreen"] as? Bool ?? false
    values = (payload["params"] ?? payload["properties"]) as? NSDictionary
  }
}
