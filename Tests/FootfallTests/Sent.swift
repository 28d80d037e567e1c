import FootfallPlatform
import FootfallTesting
import Foundation

/// An event as it was sent, field by field.
struct Sent {
  private let fields: JSONFields

  init(_ fields: JSONFields) {
    self.fields = fields
  }

  var name: String { fields.text("name") }

  /// A field as JSON with sorted keys; nil if it is missing.
  subscript(key: String) -> String? { fields[key] }

  /// A property as JSON; nil if it is missing.
  func property(_ key: String) -> String? { fields["props", key] }
}

extension World {
  /// All events sent, in the order they were sent.
  var sent: [Sent] {
    get throws {
      try transport.requests.flatMap { try JSONFields.list("events", in: $0.body).map(Sent.init) }
    }
  }

  /// The address of the tests' server.
  static func endpoint(_ address: String = "http://127.0.0.1:4001") -> URL {
    guard let url = URL(string: address) else { preconditionFailure("no address: \(address)") }
    return url
  }
}
