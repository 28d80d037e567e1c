/// How what the machine tells of itself is written in the context, where a protocol's document has
/// words of its own for it.
///
/// What an event says itself is never rewritten.
package struct ContextForm: Sendable, Equatable {
  /// Platforms that are counted among others, by the name the machine gives.
  package var platforms: [String: String] = [:]
  /// Whether the system is named after its platform, in lower case.
  package var namesSystemByPlatform = false
  /// What a field says where the machine tells nothing.
  package var unknown: [ContextField: PropertyValue] = [:]

  /// As the machine tells it.
  package init() {}

  /// That of Amplitude: `iOS` on iPads too, `ios` for its system, and `Unknown` for no carrier.
  ///
  /// Source: `amplitude.md` section 2.15 and P36.
  package static let amplitude: ContextForm = {
    var form = ContextForm()
    form.platforms = ["iPadOS": "iOS"]
    form.namesSystemByPlatform = true
    form.unknown = [.carrier: "Unknown"]
    return form
  }()

  /// What the machine tells, in this form.
  package func applied(to known: EventContext) -> EventContext {
    guard self != ContextForm() else { return known }
    var context = known.filled(from: EventContext(unknown))
    guard case .string(let platform) = context[.platform] else { return context }
    let name = platforms[platform] ?? platform
    context[.platform] = .string(name)
    if namesSystemByPlatform { context[.osName] = .string(name.lowercased()) }
    return context
  }
}
