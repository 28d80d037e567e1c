package import FootfallCore

/// Puts on every event what the app says of all of them, or of all of a type.
///
/// What is said of all wins over what is said of a type, and that over the event's own. Never
/// changes: another set is another plugin, put in by `Engine.change`, so that every event has what
/// counted when it was recorded. Source: `aws.md` section 3.1.
package final class PinpointGlobals: Plugin {
  /// Where it stands: before the context, so that no field of it is taken for a property.
  package let stage = PluginStage.before
  private let everywhere: PinpointValues
  private let byType: [String: PinpointValues]

  /// What is on every event, and on events of some types.
  package init(everywhere: PinpointValues, byType: [String: PinpointValues] = [:]) {
    self.everywhere = everywhere
    self.byType = byType
  }

  /// What is on every event, and on events of some types: texts are attributes, numbers metrics.
  package convenience init(everywhere: Properties = [:], byType: [String: Properties] = [:]) {
    self.init(
      everywhere: PinpointValues(everywhere),
      byType: byType.mapValues { PinpointValues($0) }
    )
  }

  /// The event with all of it.
  package func process(_ event: Event) -> Event? {
    let ofType = byType[event.name.text] ?? PinpointValues()
    guard !everywhere.isEmpty || !ofType.isEmpty else { return event }
    var values = PinpointValues(event.properties)
    values.take(ofType)
    values.take(everywhere)
    var event = event
    event.properties = values.properties
    return event
  }
}
