/// Decides what there is to tell of the app: that it was installed, updated, opened and left.
///
/// Told or not, everything is followed, so that a server can switch the telling on while the app runs.
/// Source: `amplitude.md` section 2.16.
package struct LifecycleCore: Sendable {
  /// What happened.
  package enum Input: Sendable, Equatable {
    /// The process began; `isFirst` says that the client never ran on this device before.
    case launch(AppVersion, isFirst: Bool, Presence)
    /// The app came to the front or left it.
    case presence(Presence)
  }

  /// What there is to tell, in the order given.
  package enum Effect: Sendable, Equatable {
    /// The app was installed.
    case installed(AppVersion)
    /// The app was updated.
    case updated(AppVersion, from: AppVersion)
    /// The app was opened, or returned to.
    case opened(AppVersion, fromBackground: Bool)
    /// The app was left.
    case backgrounded
  }

  /// The version that ran last, to be kept for the next run; nil if none is known.
  package private(set) var version: AppVersion?
  /// What is told as soon as the app is in front; nil once that was.
  private var news: [Effect]?
  private var isInBackground = false

  /// A core with the version that an earlier run kept.
  package init(version: AppVersion? = nil) {
    self.version = version
  }

  /// Takes in what happened and says what there is to tell.
  package mutating func receive(_ input: Input) -> [Effect] {
    switch input {
    case .launch(let current, let isFirst, let presence):
      news = [.opened(current, fromBackground: false)]
      if isFirst {
        news?.insert(.installed(current), at: 0)
      } else if let version, version != current {
        news?.insert(.updated(current, from: version), at: 0)
      }
      version = current
      return move(to: presence)
    case .presence(let presence): return move(to: presence)
    }
  }

  private mutating func move(to presence: Presence) -> [Effect] {
    switch presence {
    case .active:
      let wasInBackground = isInBackground
      isInBackground = false
      guard let news else {
        return wasInBackground ? [.opened(version ?? AppVersion(), fromBackground: true)] : []
      }
      self.news = nil
      return news
    case .inactive: return []
    case .background:
      defer { isInBackground = true }
      // One that was never in front was not left.
      return isInBackground || news != nil ? [] : [.backgrounded]
    }
  }
}
