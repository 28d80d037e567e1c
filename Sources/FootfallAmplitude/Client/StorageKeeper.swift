import FootfallCore
import FootfallEngine
import FootfallOutbox
import FootfallPlatform
import Foundation

/// Keeps a client's events, and who it is, in a storage of the app's own.
///
/// Source: `amplitude.md` section 2.5: the storage's own handlers decide what becomes of a block.
final class StorageKeeper: EventKeeper, @unchecked Sendable {
  // Sendable by the document's promise: a storage is called by one thread at a time, which is the engine's.
  private let storage: any Storage
  private let configuration: Configuration
  private let pipeline: EventPipeline
  private var remembered: [StorageKey: String] = [:]
  /// The text of the block that was read last.
  private var lastRead: (block: String, text: String)?

  init(_ storage: any Storage, _ configuration: Configuration) {
    self.storage = storage
    self.configuration = configuration
    pipeline = EventPipeline(configuration: configuration)
  }

  // MARK: Events

  func keep(_ event: Event) throws {
    try storage.write(key: .EVENTS, value: BaseEvent.make(event))
  }

  func closeBlock() { storage.rollover() }

  var blocks: [String] { storage.blocks.map(\.absoluteString) }

  func events(of block: String) -> [[UInt8]]? {
    guard let url = URL(string: block), let text = storage.getEventsString(eventBlock: url) else {
      return nil
    }
    lastRead = (block, text)
    // A text in JSON has no line break, and what is between two of its parts may have spaces instead.
    let bytes = text.utf8.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 }
    return AmplitudeEventFile.objects(bytes).map { Array($0) }
  }

  func remove(_ block: String) {
    if let url = URL(string: block) { storage.remove(eventBlock: url) }
  }

  func removeAll() {
    storage.reset()
    remembered = [:]
  }

  func settle(_ block: String, _ response: UploadResponse) -> Bool {
    guard let url = URL(string: block) else { return false }
    let text = lastRead?.block == block ? lastRead?.text : storage.getEventsString(eventBlock: url)
    let handler = storage.getResponseHandler(
      configuration: configuration,
      eventPipeline: pipeline,
      eventBlock: url,
      eventsString: text ?? "[]"
    )
    return handler.handle(result: UploadFailure.result(of: response))
  }

  // MARK: Who the client is

  func remember(_ state: ClientState) throws {
    var session: Int64?
    if case .number(let number) = state.session.session?.id { session = number }
    try write(.DEVICE_ID, state.deviceID) { $0 }
    try write(.USER_ID, state.userID) { $0 }
    try write(.PREVIOUS_SESSION_ID, session) { "\($0)" }
    try write(.LAST_EVENT_TIME, state.session.lastActivityMilliseconds) { "\($0)" }
    try write(.LAST_EVENT_ID, state.sequenceCeiling - 1) { "\($0)" }
    try write(.APP_VERSION, state.app?.version) { $0 }
    try write(.APP_BUILD, state.app?.build) { $0 }
  }

  /// Writes a value if it is another one than before.
  private func write<Value>(_ key: StorageKey, _ value: Value?, _ text: (Value) -> String) throws {
    let new = value.map(text)
    guard new != remembered[key] else { return }
    try storage.write(key: key, value: value)
    remembered[key] = new
  }

  func recall() -> ClientState? {
    var earlier = AmplitudeEarlierState()
    earlier.deviceID = storage.read(key: .DEVICE_ID)
    earlier.userID = storage.read(key: .USER_ID)
    earlier.sessionID = storage.read(key: .PREVIOUS_SESSION_ID)
    earlier.lastEventTime = storage.read(key: .LAST_EVENT_TIME)
    earlier.lastEventID = storage.read(key: .LAST_EVENT_ID)
    var state = earlier.clientState
    let (version, build): (String?, String?) =
      (storage.read(key: .APP_VERSION), storage.read(key: .APP_BUILD))
    if version != nil || build != nil { state?.app = AppVersion(version: version, build: build) }
    return state
  }
}
