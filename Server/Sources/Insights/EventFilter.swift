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

  /// The table to ask: whose each event is costs time, so it is looked up only for a person.
  var table: String { person == nil ? "events" : "person_events" }

  /// The condition in SQL over `table`; its parameters are `$2` to `$4`.
  var condition: String { Self.condition(isOfPerson: person != nil) }

  /// The same over `person_events`.
  static let condition = condition(isOfPerson: true)

  private static func condition(isOfPerson: Bool) -> String {
    """
    ($2 IS NULL OR name = $2)
      AND ($3 IS NULL\(isOfPerson ? " OR person_id = $3 OR device_id = $3" : ""))
      AND ($4 OR NOT is_test)
    """
  }

  /// The values of `$2` to `$4`.
  var bindings: [SQLValue] {
    [name.map { .text($0) } ?? .null, person.map { .text($0) } ?? .null, .boolean(includesTest)]
  }

  /// The events that meet the condition, in Swift; `all` are all events of the store.
  func admitted(_ all: [StoredEvent]) -> [StoredEvent] {
    let people = person == nil ? nil : PeopleMap(all)
    return all.filter { event in
      if let name, event.name != name { return false }
      if let person, let people, !people.does(event, belongTo: person) { return false }
      return includesTest || !event.isTest
    }
  }
}
