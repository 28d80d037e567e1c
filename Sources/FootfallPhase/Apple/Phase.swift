#if canImport(SwiftUI)
public import SwiftUI

/// A view that initialises the SDK when its content first appears, and shows that whatever comes of it.
///
/// ```swift
/// WindowGroup { Phase(apiKey: "phase_…") { ContentView() } }
/// ```
@MainActor public struct Phase<Content: View>: View {
  private let config: PhaseConfig
  private let content: Content

  /// A view around an app's content.
  ///
  /// - Parameters:
  ///   - apiKey: The app's key, `phase_…`; with another one nothing is started, and the log says so.
  ///   - baseURL: The server's address; Phase's own unless given.
  ///   - logLevel: What is printed; nothing unless given.
  ///   - debugData: Whether what is sent is marked as a developer's; it is not unless given.
  ///   - deviceInfo: Whether model, system and the app's version are sent; they are unless given.
  ///   - userLocale: Whether the locale is sent and the country looked up; they are unless given.
  ///   - content: What is shown.
  public init(
    apiKey: String,
    baseURL: String = "https://api.phase.sh",
    logLevel: LogLevel = .none,
    debugData: Bool = false,
    deviceInfo: Bool = true,
    userLocale: Bool = true,
    @ViewBuilder content: () -> Content
  ) {
    config = PhaseConfig(
      apiKey: apiKey,
      baseURL: baseURL,
      logLevel: logLevel,
      debugData: debugData,
      deviceInfo: deviceInfo,
      userLocale: userLocale
    )
    self.content = content()
  }

  /// The content.
  public var body: some View {
    content.onAppear { [config] in PhaseSDK.shared.begin(config) }
  }
}
#endif
