import Foundation

/// A JSON object that was sent, field by field, read by another reader than the library's own.
package struct JSONFields {
  private let fields: [String: Any]

  /// An object's fields.
  package init(_ fields: [String: Any]) {
    self.fields = fields
  }

  /// The objects in a list of a body's; none if there is no such list.
  package static func list(_ key: String, in body: [UInt8]) throws -> [JSONFields] {
    let body = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
    return (body?[key] as? [[String: Any]] ?? []).map(JSONFields.init)
  }

  /// A body that is an object; without fields if it is none.
  package static func object(_ body: [UInt8]) throws -> JSONFields {
    JSONFields(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:])
  }

  /// The names of the fields.
  package var keys: Set<String> { Set(fields.keys) }

  /// A field's text; empty if it is none.
  package func text(_ key: String) -> String { fields[key] as? String ?? "" }

  /// A field, or one inside of others, as JSON with sorted keys; nil if it is missing.
  package subscript(path: String...) -> String? {
    var value: Any? = fields
    for key in path { value = (value as? [String: Any])?[key] }
    return value.map(Self.json)
  }

  /// A value of a JSON document as JSON with sorted keys.
  package static func json(_ value: Any) -> String {
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
