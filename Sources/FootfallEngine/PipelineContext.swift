import FootfallCore

/// Fills in what is known about app and device, except what is withheld.
///
/// Only what an event does not say itself. Source: `amplitude.md`, P12 to P16, P29 and P30.
struct PipelineContext: Sendable {
  /// What the server puts the sender's own address in for.
  private static let remote: PropertyValue = "$remote"

  private let withCountry: EventContext
  private let withoutCountry: EventContext
  private let isRemote: Bool

  /// A filling from everything that is known.
  init(_ known: EventContext, _ rules: PipelineRules) {
    var context = rules.contextForm.applied(to: known)
    if rules.fillsRemoteAddress { context[.ip] = context[.ip] ?? Self.remote }
    for field in rules.withheldContext { context[field] = nil }
    withCountry = context
    isRemote = context[.ip] == Self.remote
    context[.country] = nil
    withoutCountry = context
  }

  /// An event's own context and, where that says nothing, what is known.
  ///
  /// The country of the locale only where the server is not asked to find it by the address.
  func filling(_ own: EventContext) -> EventContext {
    guard !own.isEmpty else { return isRemote ? withoutCountry : withCountry }
    let isRemote = own[.ip].map { $0 == Self.remote } ?? isRemote
    return own.filled(from: isRemote ? withoutCountry : withCountry)
  }
}
