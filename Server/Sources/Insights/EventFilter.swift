internal import EventStore

/// What every list and chart can be narrowed down to: a name, a person, no test events.
struct EventFilter: Sendable {
  let name: String?
  let person: String?
  let includesTest: Bool

  /// An empty person is nobody in particular, as in a form that was not filled in.
  init(name: String?, person: String?, includesTest: Bool) {
    self.name = name
    self.person = person.flatMap { $0.isEmpty ? nil : $0 }
    self.includesTest = includesTest
  }

  /// The condition in SQL; its parameters are `$2` to `$4`.
  static let condition = """
    ($2 IS NULL OR name = $2)
      AND ($3 IS NULL OR user_id = $3 OR device_id = $3)
      AND ($4 OR NOT is_test)
    """

  /// The values of `$2` to `$4`.
  var bindings: [SQLValue] {
    [name.map { .text($0) } ?? .null, person.map { .text($0) } ?? .null, .boolean(includesTest)]
  }

  /// The same condition in Swift.
  func admits(_ event: StoredEvent) -> Bool {
    if let name, event.name != name { return false }
    if let person, !event.belongs(to: person) { return false }
    return includesTest || !event.isTest
  }
}
