import FootfallAWS
import FootfallPlatform
import FootfallSystem
import Foundation

/// What a recorder and the app tell each other: settings, numbers, losses, ends of tasks.
///
/// Any thread. What the app hears, it hears on a thread of the system's, so that it may wait there for
/// the recorder.
final class RecorderBoard: Sendable {
  private struct State {
    var settings = RecorderSettings()
    var bytes: Int?
    var dropped: [AWSRecorderDrop.Reason: Int] = [:]
    var onDrop: (@Sendable (AWSRecorderDrop) -> Void)?
    weak var recorder: AWSAbstractKinesisRecorder?
  }

  private let state = Lock(State())
  private let log: Logger

  init(log: Logger) {
    self.log = log
  }

  /// What the app set.
  var settings: RecorderSettings { state.withLock { $0.settings } }

  /// Changes one setting.
  func set(_ change: (inout RecorderSettings) -> Void) {
    state.withLock { change(&$0.settings) }
  }

  /// The bytes kept; nil as long as the store was not opened.
  var bytes: Int? { state.withLock { $0.bytes } }

  func show(bytes: Int) {
    state.withLock { $0.bytes = bytes }
  }

  /// What was lost, by reason.
  var dropped: [AWSRecorderDrop.Reason: Int] { state.withLock { $0.dropped } }

  /// Hears of losses.
  var onDrop: (@Sendable (AWSRecorderDrop) -> Void)? {
    get { state.withLock { $0.onDrop } }
    set { state.withLock { $0.onDrop = newValue } }
  }

  /// The recorder that notifications are of.
  func belong(to recorder: AWSAbstractKinesisRecorder) {
    state.withLock { $0.recorder = $0.recorder ?? recorder }
  }

  /// Counts records that are lost, says so in the log and tells the app.
  func drop(_ drop: AWSRecorderDrop) {
    let tell = state.withLock { state in
      state.dropped[drop.reason, default: 0] += drop.count
      return state.onDrop
    }
    log.warning(
      "Records dropped: \(drop.count) (\(drop.reason))"
        + (drop.streamName.map { " for the stream \($0)" } ?? "")
        + (drop.message.isEmpty ? "." : ". \(drop.message)")
    )
    guard let tell else { return }
    Self.hand { tell(drop) }
  }

  /// Tells that more bytes are kept than the app wanted to know of.
  func notify(_ service: StreamService, bytes: Int) {
    let recorder = state.withLock { $0.recorder }
    let name: NSNotification.Name =
      service == .kinesis
      ? .AWSKinesisRecorderByteThresholdReached : .AWSFirehoseRecorderByteThresholdReached
    Self.hand {
      NotificationCenter.default.post(
        name: name,
        object: recorder,
        userInfo: ["diskBytesUsed": NSNumber(value: bytes)]
      )
    }
  }

  private static func hand(_ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global().async(execute: body)
  }
}
