import Footfall
public import FootfallAWS
import FootfallCore
import FootfallEngine
import FootfallSystem
public import Foundation

/// Records events and sends them.
///
/// Events are on disk within 10 ms of being recorded, and are sent by `submitEvents` and when a session
/// ends. Any thread.
public final class AWSPinpointAnalyticsClient: NSObject, Sendable {
  private struct Globals {
    var everywhere = PinpointValues()
    var byType: [String: PinpointValues] = [:]
    var plugin: PinpointGlobals?
  }

  let parts: PinpointParts
  private let globals = Lock(Globals())
  /// What is kept of the events.
  public let eventRecorder: AWSPinpointEventRecorder

  init(_ parts: PinpointParts) {
    self.parts = parts
    eventRecorder = AWSPinpointEventRecorder(parts)
  }

  // MARK: On every event

  /// Puts an attribute on every event recorded from here on, over the event's own.
  public func addGlobalAttribute(_ value: String, forKey key: String) {
    change { $0.everywhere.attributes[key] = .string(value) }
  }

  /// Puts an attribute on every event of a type recorded from here on, over the event's own.
  public func addGlobalAttribute(
    _ value: String,
    forKey key: String,
    forEventType eventType: String
  ) {
    change { $0.byType[eventType, default: PinpointValues()].attributes[key] = .string(value) }
  }

  /// Puts a metric on every event recorded from here on, over the event's own.
  public func addGlobalMetric(_ value: NSNumber, forKey key: String) {
    let metric = PropertyValue(bridging: value)
    change { $0.everywhere.metrics[key] = metric }
  }

  /// Puts a metric on every event of a type recorded from here on, over the event's own.
  public func addGlobalMetric(
    _ value: NSNumber,
    forKey key: String,
    forEventType eventType: String
  ) {
    let metric = PropertyValue(bridging: value)
    change { $0.byType[eventType, default: PinpointValues()].metrics[key] = metric }
  }

  /// Puts an attribute on no more events.
  public func removeGlobalAttribute(forKey key: String) {
    change { $0.everywhere.attributes[key] = nil }
  }

  /// Puts an attribute on no more events of a type.
  public func removeGlobalAttribute(forKey key: String, forEventType eventType: String) {
    change { $0.byType[eventType]?.attributes[key] = nil }
  }

  /// Puts a metric on no more events.
  public func removeGlobalMetric(forKey key: String) {
    change { $0.everywhere.metrics[key] = nil }
  }

  /// Puts a metric on no more events of a type.
  public func removeGlobalMetric(forKey key: String, forEventType eventType: String) {
    change { $0.byType[eventType]?.metrics[key] = nil }
  }

  /// Takes its place among the recorded events: those before have what was said before.
  private func change(_ change: (inout Globals) -> Void) {
    globals.withLock { globals in
      change(&globals)
      let next = PinpointGlobals(everywhere: globals.everywhere, byType: globals.byType)
      let last = globals.plugin
      globals.plugin = next
      parts.client.change(.addPlugin(next))
      if let last { parts.client.change(.removePlugin(last)) }
    }
  }

  // MARK: Events

  /// A new event of now.
  public func createEvent(withEventType eventType: String) -> AWSPinpointEvent {
    event(EventContent(EventName(eventType)))
  }

  /// A new event of now; the same as `createEvent(withEventType:)`.
  public func createEventWithEventType(_ eventType: String) -> AWSPinpointEvent {
    createEvent(withEventType: eventType)
  }

  /// A new event of something bought that no store knows of: `_monetization.purchase`.
  ///
  /// - Parameters:
  ///   - productId: What was bought.
  ///   - itemPrice: The price of one, in the currency's unit.
  ///   - quantity: How many.
  ///   - currency: The currency, such as `USD`.
  /// - Returns: The event, to be recorded.
  public func createVirtualMonetizationEvent(
    withProductId productId: String,
    withItemPrice itemPrice: Double,
    withQuantity quantity: Int,
    withCurrency currency: String
  ) -> AWSPinpointEvent {
    event(
      .pinpointPurchase(
        productID: productId,
        itemPrice: itemPrice,
        quantity: quantity,
        currency: currency
      )
    )
  }

  func event(_ content: EventContent) -> AWSPinpointEvent {
    let now = parts.environment.clocks.now()
    return AWSPinpointEvent(
      content.name.text,
      timestamp: UInt64(clamping: Timestamp.milliseconds(of: now)),
      session: AWSPinpointSession(parts.client.sessionID, now: now),
      PinpointValues(content.properties)
    )
  }

  /// Records an event.
  ///
  /// - Parameter event: The event; without a type nothing is recorded, which is counted and logged.
  /// - Returns: A task that has ended: without a result, or with why nothing is recorded at all.
  @discardableResult
  public func record(_ event: AWSPinpointEvent) -> AWSTask<AnyObject> {
    if let refusal = parts.refusal(needs: parts.recordsEvents, "Recording events") {
      return refusal
    }
    parts.record(event)
    eventRecorder.noteRecorded()
    return Self.done
  }

  private static let done = AWSTask<AnyObject>(result: nil)

  /// Sends every event recorded before the call.
  ///
  /// - Returns: A task that ends without a result, also if there was nothing to send, or with the reason
  ///   for which events are kept.
  @discardableResult
  public func submitEvents() -> AWSTask<AnyObject> {
    parts.submit()
  }

  /// Sends every event recorded before the call, and tells when that is over.
  ///
  /// - Parameter completionBlock: Called once, with the task that is returned.
  /// - Returns: As `submitEvents()`.
  @discardableResult
  public func submitEvents(
    completionBlock: @escaping (AWSTask<AnyObject>) -> Void
  ) -> AWSTask<AnyObject> {
    let task = parts.submit()
    task.continueWith { task in
      completionBlock(task)
      return nil
    }
    return task
  }
}

extension PinpointParts {
  /// Records an event; what it says of its session counts if that is the app's own.
  func record(_ event: AWSPinpointEvent) {
    let name = EventName(event.eventType)
    let time = Int64(clamping: event.eventTimestamp)
    guard event.session.isOfApp else {
      return client.track(name, unread: event.values, at: time)
    }
    var options = EventOptions()
    options.time = Date(timeIntervalSince1970: Double(event.eventTimestamp) / 1_000)
    options.sessionID = .text(event.session.sessionId)
    client.track(name, unread: event.values, [:], EventDetails(options: options))
  }

  /// Sends what was recorded.
  func submit() -> AWSTask<AnyObject> {
    if let refusal = refusal(needs: recordsEvents, "Recording events") { return refusal }
    let task = AWSTaskCompletionSource<AnyObject>()
    submissions.withLock { $0 += 1 }
    client.flush { [submissions] report in
      submissions.withLock { $0 -= 1 }
      task.end(report.problem.map { .of($0) })
    }
    return task.task
  }
}

extension NSError {
  /// Why events are kept, as the documented client would say it.
  fileprivate static func of(_ problem: DeliveryProblem) -> NSError {
    switch problem.kind {
    case .offline where problem.description.contains(SigningTransport.noCredentials):
      AWSServiceError.noCredentials("The provider gave none.")
    case .offline: AWSServiceError.offline(problem.description)
    case .timedOut: AWSServiceError.offline(problem.description, timedOut: true)
    case .storageFailed: AWSServiceError.make(.storage, problem.description)
    case .serverBusy: AWSServiceError.make(.throttling, problem.description)
    default: AWSServiceError.make(.unexpectedAnswer, problem.description)
    }
  }
}
