import FootfallTesting
import Foundation

/// A server that takes every event, and an app's folder, for one sample in a process of its own.
struct SampleServer {
  let server: LoopbackServer
  private let folder: String

  /// Starts a server; what the process stores from now on is in a folder of this sample.
  ///
  /// `folder` is that of an earlier process; nil for a new one.
  init(folder: String? = nil) throws {
    server = try LoopbackServer(.status(202))
    self.folder = folder ?? Self.folder(of: getpid())
    setenv("XDG_STATE_HOME", self.folder, 1)
  }

  /// The folder of the samples in a process.
  static func folder(of process: Int32) -> String {
    FileManager.default.temporaryDirectory.path + "/footfall-sample-\(process)"
  }

  /// The address for `endpoint`.
  var endpoint: URL {
    get throws {
      guard let url = URL(string: server.url("")) else {
        throw CocoaError(.fileReadInvalidFileName)
      }
      return url
    }
  }

  /// What was sent, in order.
  var events: [SampleEvent] {
    get throws {
      try server.requests.flatMap {
        try JSONDecoder().decode(SampleBody.self, from: Data($0.body)).events
      }
    }
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

struct SampleBody: Decodable {
  let events: [SampleEvent]
}

/// An event as the server sees it.
struct SampleEvent: Decodable {
  let event_id: String
  let name: String
  let ts: String
  let device_id: String?
  let props: [String: SampleValue]?
}

/// A property as the server sees it.
enum SampleValue: Decodable, Equatable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral
{
  case text(String)
  case whole(Int)
  case number(Double)
  case truth(Bool)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do { self = .truth(try container.decode(Bool.self)) } catch {
      do { self = .whole(try container.decode(Int.self)) } catch {
        do { self = .number(try container.decode(Double.self)) } catch {
          self = .text(try container.decode(String.self))
        }
      }
    }
  }

  init(stringLiteral value: String) { self = .text(value) }
  init(booleanLiteral value: Bool) { self = .truth(value) }
  init(integerLiteral value: Int) { self = .whole(value) }
  init(floatLiteral value: Double) { self = .number(value) }
}
