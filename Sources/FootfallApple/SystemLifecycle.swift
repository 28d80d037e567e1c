package import FootfallPlatform

/// Chooses the lifecycle adapter of the platform.
package enum SystemLifecycle {
  /// A new adapter: UIKit's, AppKit's or WatchKit's, or the headless one where there is no interface.
  package static func make() -> any AppLifecycle {
    #if canImport(UIKit) && !os(watchOS)
    UIKitLifecycle()
    #elseif canImport(AppKit)
    AppKitLifecycle()
    #elseif canImport(WatchKit)
    WatchKitLifecycle()
    #else
    HeadlessLifecycle()
    #endif
  }
}
