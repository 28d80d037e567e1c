#if canImport(SwiftUI)
public import SwiftUI

extension View {
  /// Records a `screen_view` each time this view appears.
  ///
  /// - Parameter name: The screen's name, told as `screen`.
  /// - Returns: The view.
  public func trackScreenView(_ name: String) -> some View {
    onAppear { SimpleDataLogs.trackScreen(name) }
  }
}
#endif
