/// An event's name and properties, before it is stamped.
package struct EventContent: Sendable, Equatable {
  /// What happened.
  package var name: EventName
  /// What else there is to say.
  package var properties: Properties

  /// A content from its parts.
  package init(_ name: EventName, _ properties: Properties = [:]) {
    self.name = name
    self.properties = properties
  }
}
