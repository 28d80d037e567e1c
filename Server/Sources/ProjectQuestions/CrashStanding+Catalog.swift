package import Catalog
package import Insights

extension CrashStanding {
  /// How crashes stand after what was decided about them; nil where nothing was.
  package init(_ decision: CrashDecision?, of group: Crashes.Group) {
    let standing = decision.map { decision -> Decision in
      switch decision.state {
      case .hidden: .hidden
      case .resolved:
        .resolved(atMs: decision.atMs, mended: decision.mended, seen: decision.seen)
      }
    }
    self.init(standing, of: group)
  }
}
