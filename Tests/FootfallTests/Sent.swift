import FootfallPlatform
import FootfallTesting
import Foundation

/// An event as it was sent, field by field.
struct Sent {
  private let fields: [String: Any]

  init(_ fields: [String: Any]) {
    self.fields = fields
  }

  var name: String { fields["name"] as? String ?? "" }

  /// A field as JSON with sorted keys; nil if it is missing.
  subscript(key: String) -> String? { Self.json(fields[key]) }

  /// A property as JSON; nil if it is missing.
  func property(_ key: String) -> String? {
    Self.json((fields["props"] as? [String: Any])?[key])
  }

  private static func json(_ value: Any?) -> String? {
    guard let value else { return nil }
    do {
      let data = try JSONSerialization.data(
        withJSONObject: value,
        options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes]
      )
      return String(decoding: data, as: UTF8.self)
    } catch {
      return "\(error)"
    }
  }
}

extension World {
  /// All events sent, in the order they were sent.
  var sent: [Sent] {
    get throws {
      try transport.requests.flatMap { request in
        let body = try JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any]
        return (body?["events"] as? [[String: Any]] ?? []).map(Sent.init)
      }
    }
  }

  /// The address of the tests' server.
  static func endpoint(_ address: String = "http://127.0.0.1:4001") -> URL {
    guard let url = URL(string: address) else { preconditionFailure("no address: \(address)") }
    return url
  }
}
