import FootfallCore
import Foundation

extension PropertyValue {
  /// The value as an app's code expects it: `String`, `Int`, `Double`, `Bool`, a list or a dictionary of
  /// these, and `NSNull` for nothing.
  var untyped: Any {
    switch self {
    case .string(let text): text
    case .integer(let number): Int(exactly: number) ?? number
    case .double(let number): number
    case .boolean(let isTrue): isTrue
    case .null: NSNull()
    case .array(let values): values.map(\.untyped)
    case .object(let properties): properties.untyped
    }
  }
}

extension Properties {
  /// The properties as a dictionary of what an app's code expects.
  var untyped: [String: Any] {
    reduce(into: [:]) { dictionary, pair in dictionary[pair.key] = pair.value.untyped }
  }

  /// What can be sent of a dictionary; the names of the rest are left out without a word.
  init(untyped dictionary: [String: Any]) {
    var unsupported: [String] = []
    self.init(converting: dictionary, unsupported: &unsupported)
  }
}

extension IdentifyOperations {
  /// The operations by name, as they are on the wire.
  var untyped: [String: Any] {
    if let written { return written.untyped }
    return byOperation.reduce(into: [:]) { dictionary, pair in
      let (operation, entries) = pair
      dictionary[operation.rawValue] =
        operation == .clearAll
        ? "-" : entries.reduce(into: [String: Any]()) { $0[$1.key] = $1.value.untyped }
    }
  }
}

extension [String: [String]] {
  /// Groups as a dictionary: one name as text, several as a list.
  var untyped: [String: Any] { mapValues { GroupChange.value(of: $0).untyped } }

  /// The names in a dictionary of groups: what is neither text nor a list of texts is left out.
  init(untyped groups: [String: Any]) {
    self = groups.compactMapValues { value in
      switch PropertyValue(converting: value) {
      case .string(let name): [name]
      case .array(let names):
        names.compactMap { if case .string(let name) = $0 { name } else { nil } }
      case .integer(let number): ["\(number)"]
      default: nil
      }
    }
  }
}
