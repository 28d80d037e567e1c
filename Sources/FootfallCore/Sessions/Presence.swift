/// How much of the user's attention the app has, from most to least.
///
/// Whether `inactive` counts as being away differs: on a Mac it does (another app is in front), on a
/// phone it does not (a call is shown over the app). `SessionRules.awayFrom` says which.
package enum Presence: Int, Sendable, Hashable, Comparable, CaseIterable {
  /// In front and in use.
  case active
  /// On screen, behind something else.
  case inactive
  /// Out of sight.
  case background

  /// Whether the left has more of the user's attention.
  package static func < (left: Presence, right: Presence) -> Bool {
    left.rawValue < right.rawValue
  }

  /// From which presence on the user of a platform counts as away.
  ///
  /// Source: `simpledatalogs.md` section 5.1 and `amplitude.md`, S35.
  package static func away(on platform: String) -> Presence {
    platform == "macOS" ? .inactive : .background
  }
}
