import Footfall
public import FootfallAWS
import FootfallCore
import FootfallEngine
public import Foundation

/// Says what is known of the endpoint: its attributes, its user, where messages for it go.
///
/// What is said is kept from run to run, goes with the next events by itself, and at once with
/// `updateEndpointProfile`. Any thread.
public final class AWSPinpointTargetingClient: NSObject, Sendable {
  private let parts: PinpointParts

  init(_ parts: PinpointParts) {
    self.parts = parts
  }

  /// The longest a call waits for the endpoint's id to be read from disk, in seconds.
  private static let idSeconds = 5.0

  /// A copy of what is known of the endpoint.
  ///
  /// The first access may wait for the disk.
  public func currentEndpointProfile() -> AWSPinpointEndpointProfile {
    AWSPinpointEndpointProfile(
      parts.store.endpoint,
      appID: parts.appID,
      endpointID: parts.client.deviceID(limitSeconds: Self.idSeconds) ?? "",
      device: device,
      now: parts.environment.clocks.now()
    )
  }

  /// Hands out a copy of what is known of the endpoint, without waiting for the disk.
  ///
  /// - Parameter completion: Called once, on a thread of the system's.
  public func currentEndpointProfile(
    completion: @escaping @Sendable (AWSPinpointEndpointProfile) -> Void
  ) {
    DispatchQueue.global().async { [self] in completion(currentEndpointProfile()) }
  }

  private var device: EventContext {
    parts.environment.refreshDevice(parts.environment.device).eventContext
  }

  /// Sends what is known of the endpoint.
  ///
  /// - Returns: A task that ends without a result once the service has taken it, or with why it has not:
  ///   the service's refusal or no network, after which it is sent again by itself, or that collection
  ///   went off, the client stopped, or what was to be sent was dropped.
  @discardableResult
  public func updateEndpointProfile() -> AWSTask<AnyObject> {
    if let refusal = parts.refusal(needs: parts.hasTargeting, "Targeting") { return refusal }
    guard parts.client.isEnabled else {
      return AWSTask(error: AWSServiceError.make(.configuration, "Collection is off."))
    }
    let revision = parts.store.change { $0.askForUpdate() }
    let task = parts.updates.wait(for: revision)
    parts.watchUpdates()
    let isRunning = parts.client.take(.profile)
    if !isRunning { parts.updates.end("the client was shut down.") }
    // Switched off in between: whoever did so may have looked before this one waited.
    if !parts.client.isEnabled { parts.updates.end("collection is off.") }
    return task
  }

  /// Puts a profile in the place of what is known of the endpoint, and sends it.
  ///
  /// - Parameter endpointProfile: What is known from here on; its ids are not looked at, and a number
  ///   that is none, such as a coordinate of NaN, is not taken.
  /// - Returns: As `updateEndpointProfile()`.
  @discardableResult
  public func update(_ endpointProfile: AWSPinpointEndpointProfile) -> AWSTask<AnyObject> {
    let said = endpointProfile.said(device: device)
    if said.hasOddNumber {
      parts.environment.log.warning("A number of the endpoint profile is none, and is not taken.")
    }
    parts.store.change { said.replace(&$0) }
    return updateEndpointProfile()
  }

  /// Sets an attribute of the endpoint, as texts.
  ///
  /// 20 attributes and metrics together are kept, keys of 50 characters, 50 values of 100; what is over
  /// is cut, and one attribute too many is not taken, with a line in the log.
  public func addAttribute(_ values: [Any], forKey key: String) {
    // What the app's values say of themselves is asked here, with no lock held.
    let texts = values.map { "\($0)" }
    let isTaken = parts.store.change { $0.setAttribute(texts, for: key) }
    if !isTaken { refuse() }
  }

  /// Removes an attribute of the endpoint.
  public func removeAttribute(forKey key: String) {
    parts.store.change { $0.setAttribute(nil, for: key) }
  }

  /// Sets a metric of the endpoint; see `addAttribute(_:forKey:)`.
  ///
  /// What is no number is not taken.
  public func addMetric(_ value: NSNumber, forKey key: String) {
    let number = value.doubleValue
    let isTaken = parts.store.change { $0.setMetric(number, for: key) }
    if !isTaken { refuse() }
  }

  /// Removes a metric of the endpoint.
  public func removeMetric(forKey key: String) {
    parts.store.change { $0.setMetric(nil, for: key) }
  }

  /// Waits until what was said is on disk, as far as that is possible; for tests.
  package func settle() { parts.store.writeIfChanged() }

  private func refuse() {
    parts.environment.log.warning(
      "An attribute or metric of the endpoint was not taken: there are 20, or it is no number."
    )
  }
}
