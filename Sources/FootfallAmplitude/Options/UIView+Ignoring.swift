#if canImport(UIKit) && !os(watchOS)
import ObjectiveC
public import UIKit

extension UIView {
  /// Keeps this view and what is in it out of the search for clicks in anger and without effect.
  ///
  /// Both unless told otherwise.
  /// Kept with the view; neither is looked for yet.
  public func amp_ignoreInteractionEvent(rageClick: Bool = true, deadClick: Bool = true) {
    let choice = IgnoredInteractions(rageClick: rageClick, deadClick: deadClick)
    objc_setAssociatedObject(self, &IgnoredInteractions.key, choice, .OBJC_ASSOCIATION_RETAIN)
  }

  /// What this view was kept out of itself; nil for nothing.
  var ampIgnored: (rageClick: Bool, deadClick: Bool)? {
    (objc_getAssociatedObject(self, &IgnoredInteractions.key) as? IgnoredInteractions).map {
      ($0.rageClick, $0.deadClick)
    }
  }
}

/// What a view is kept out of.
private final class IgnoredInteractions: NSObject {
  /// Its address is the key under which views keep this.
  @MainActor static var key: UInt8 = 0
  let rageClick: Bool
  let deadClick: Bool

  init(rageClick: Bool, deadClick: Bool) {
    self.rageClick = rageClick
    self.deadClick = deadClick
  }
}
#endif
