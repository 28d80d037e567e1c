import Footfall
public import FootfallAWS
import FootfallCore
import FootfallSystem
public import Foundation

/// What is kept of the events until the service has them.
///
/// Any thread. Limits are fixed when the client is made; those set here later are kept, and the log says
/// once that they do nothing.
public final class AWSPinpointEventRecorder: NSObject, Sendable {
  private struct Settings {
    var notificationBytes: UInt = 0
    var diskBytes: UInt
    var ageSeconds: TimeInterval = 0
    var batchBytes: UInt = 512 * 1_024
    var wasWarned = false
    /// Whether more bytes than the threshold were there the last time.
    var isOver = false
  }

  private let parts: PinpointParts
  private let settings: Lock<Settings>

  init(_ parts: PinpointParts) {
    self.parts = parts
    settings = Lock(Settings(diskBytes: parts.storageBytes))
  }

  /// The bytes of the events on disk, as of the last time the client wrote or sent.
  public var diskBytesUsed: UInt {
    UInt(clamping: parts.client.diagnostics(of: "main")?.storedBytes ?? 0)
  }

  /// More bytes than this are told of by a notification; 0, the default, for never.
  ///
  /// Once for each time they become so many, by `AWSPinpointEventByteThresholdReached`.
  public var notificationByteThreshold: UInt {
    get { settings.withLock { $0.notificationBytes } }
    set { settings.withLock { $0.notificationBytes = newValue } }
  }

  /// An event was recorded: looks at the threshold once it is on disk.
  func noteRecorded() {
    guard notificationByteThreshold > 0 else { return }
    parts.client.settle { [self] in
      let bytes = diskBytesUsed
      let isReached = settings.withLock { settings in
        let isOver = settings.notificationBytes > 0 && bytes > settings.notificationBytes
        defer { settings.isOver = isOver }
        return isOver && !settings.isOver
      }
      guard isReached else { return }
      DispatchQueue.global().async { [self] in
        NotificationCenter.default.post(
          name: .AWSPinpointEventByteThresholdReached,
          object: self,
          userInfo: ["diskBytesUsed": NSNumber(value: bytes)]
        )
      }
    }
  }

  /// The most bytes of events kept: `AWSPinpointConfiguration.maxStorageSize`; setting it here has no
  /// effect.
  public var diskByteLimit: UInt {
    get { settings.withLock { $0.diskBytes } }
    set { set("diskByteLimit") { $0.diskBytes = newValue } }
  }

  /// Has no effect: events are kept until the service has them, or there are too many.
  public var diskAgeLimit: TimeInterval {
    get { settings.withLock { $0.ageSeconds } }
    set { set("diskAgeLimit") { $0.ageSeconds = newValue } }
  }

  /// The most bytes of events in a request: 512 KiB; setting it has no effect.
  public var batchRecordsByteLimit: UInt {
    get { settings.withLock { $0.batchBytes } }
    set { set("batchRecordsByteLimit") { $0.batchBytes = newValue } }
  }

  private func set(_ name: String, _ change: (inout Settings) -> Void) {
    let isFirst = settings.withLock { settings in
      change(&settings)
      defer { settings.wasWarned = true }
      return !settings.wasWarned
    }
    guard isFirst else { return }
    parts.environment.log.warning(
      "\(name) of a Pinpoint event recorder has no effect; set maxStorageSize of the configuration."
    )
  }

  /// Whether events are being sent because somebody asked for it.
  public var submissionInProgress: Bool { parts.submissions.withLock { $0 > 0 } }

  /// Records an event; the same as `AWSPinpointAnalyticsClient.record`.
  @discardableResult
  public func saveEvent(_ event: AWSPinpointEvent) -> AWSTask<AnyObject> {
    if let refusal = parts.refusal(needs: parts.recordsEvents, "Recording events") {
      return refusal
    }
    parts.record(event)
    noteRecorded()
    return AWSTask(result: nil)
  }

  /// A task that ends with the oldest 128 events that are kept, a list of `AWSPinpointEvent`.
  public func getEvents() -> AWSTask<AnyObject> { getEvents(withLimit: NSNumber(value: 128)) }

  /// A task that ends with the oldest events that are kept, at most so many; a list of
  /// `AWSPinpointEvent`.
  public func getEvents(withLimit limit: NSNumber) -> AWSTask<AnyObject> {
    let task = AWSTaskCompletionSource<AnyObject>()
    parts.client.kept(atMost: max(0, limit.intValue)) { stored in
      let events = stored.compactMap { AWSPinpointEvent(stored: $0) }
      DispatchQueue.global().async { task.trySet(result: NSArray(array: events)) }
    }
    return task.task
  }

  /// A task that has ended with nothing: what the service refuses is counted, and not kept.
  public func getDirtyEvents() -> AWSTask<AnyObject> { AWSTask(result: NSArray()) }

  /// A task that has ended with nothing: what the service refuses is counted, and not kept.
  public func getDirtyEvents(withLimit limit: NSNumber) -> AWSTask<AnyObject> {
    AWSTask(result: NSArray())
  }

  /// Sends every event recorded before the call; the same as `AWSPinpointAnalyticsClient.submitEvents`.
  @discardableResult
  public func submitAllEvents() -> AWSTask<AnyObject> { parts.submit() }

  /// Removes every event recorded before the call; counted as `DropReason.removed`.
  @discardableResult
  public func removeAllEvents() -> AWSTask<AnyObject> {
    let task = AWSTaskCompletionSource<AnyObject>()
    parts.client.dropKept { task.end() }
    return task.task
  }

  /// Does nothing: what the service refuses is not kept.
  @discardableResult
  public func removeAllDirtyEvents() -> AWSTask<AnyObject> { AWSTask(result: nil) }
}

extension NSNotification.Name {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  /// More bytes of events are kept than `AWSPinpointEventRecorder.notificationByteThreshold`.
  ///
  /// The new number is in `userInfo`, under `diskBytesUsed`.
  public static let AWSPinpointEventByteThresholdReached = NSNotification.Name(
    "com.amazonaws.AWSPinpointEventByteThresholdReachedNotification"
  )
}

extension AWSPinpointEvent {
  /// An event as it was stored; nil if that is none.
  convenience init?(stored: [UInt8]) {
    let object: [String: Any]?
    do {
      object = try JSONSerialization.jsonObject(with: Data(stored)) as? [String: Any]
    } catch {
      // Damage is found, counted and logged when the event is sent.
      return nil
    }
    guard let event = object?["event"] as? [String: Any], let type = event["EventType"] as? String,
      let text = event["Timestamp"] as? String
    else { return nil }
    let session = event["Session"] as? [String: Any] ?? [:]
    let time = Self.date(text) ?? Date(timeIntervalSince1970: 0)
    var values = PinpointValues()
    for (key, value) in event["Attributes"] as? [String: String] ?? [:] {
      values.attributes[key] = .string(value)
    }
    for (key, value) in event["Metrics"] as? [String: NSNumber] ?? [:] {
      values.metrics[key] = PropertyValue(bridging: value)
    }
    self.init(
      type,
      timestamp: UInt64(clamping: Timestamp.milliseconds(of: time)),
      session: AWSPinpointSession(
        sessionId: session["Id"] as? String ?? AWSPinpointSession.notStarted,
        withStartTime: (session["StartTimestamp"] as? String).flatMap(Self.date) ?? time,
        withStopTime: (session["StopTimestamp"] as? String).flatMap(Self.date)
      ),
      values
    )
  }

  private static func date(_ text: String) -> Date? {
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return format.date(from: text)
  }
}
