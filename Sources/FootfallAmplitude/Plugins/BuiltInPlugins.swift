/// Stands for what the library itself adds to events: app and device.
///
/// `Amplitude.apply(closure:)` visits it; the work is done by the client's own pipeline.
open class ContextPlugin: BeforePlugin {}

/// Stands for the upload; the work is done by the client's own pipeline.
open class AmplitudeDestinationPlugin: DestinationPlugin {}

/// Stands for what watches the network, unless that is switched off.
open class NetworkConnectivityCheckerPlugin: BeforePlugin {
  /// What `Configuration.offline` is set to so that nobody watches the network: nil.
  public static let Disabled: Bool? = nil
}
