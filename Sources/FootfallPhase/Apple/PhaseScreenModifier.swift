#if canImport(SwiftUI)
public import SwiftUI

/// Tracks a screen each time a view appears; see `View.phaseScreen(_:params:)`.
public struct PhaseScreenModifier: ViewModifier {
  private let name: String
  private let params: EventParams?

  init(_ name: String, _ params: EventParams?) {
    self.name = name
    self.params = params
  }

  /// The view, watched.
  public func body(content: Content) -> some View {
    content.onAppear { [name, params] in PhaseSDK.shared.trackScreen(name, params: params) }
  }
}

extension View {
  /// Tracks a screen each time this view appears, also when it is navigated back to.
  ///
  /// - Parameters:
  ///   - name: The screen's name, brought into the form of a path: `ProfileView` is `/profile-view`.
  ///   - params: What else there is to say; nothing unless given.
  /// - Returns: The view.
  public func phaseScreen(_ name: String, params: [String: Any]? = nil) -> some View {
    modifier(PhaseScreenModifier(name, params.map { EventParams($0) }))
  }
}
#endif
