public import Foundation

/// Where a client keeps events and small values, for an app that does not want files.
///
/// Every event is written to it at once, as a `BaseEvent` under `EVENTS`, with `toString()` for its JSON.
/// When events are due the open block is closed by `rollover()`, and the blocks that `EVENTS` reads as URLs
/// are sent one after the other, the oldest first; the handler of a block takes it away, or says that it
/// is to be sent again after a pause. Who the client is and its session are written under the other keys.
/// Called on the client's own thread, never on two at once; an event that `write` does not take is lost,
/// counted, and told of in the log. Identifies are not held back with a storage of the app's own for events,
/// and the limits of what is kept are its own.
///
/// As `identifyStorageProvider` it is written the identifies that are held back, and asked for no block but
/// those that an earlier run left; they are merged, and go among the other events.
public protocol Storage {
  /// Keeps a value; for `EVENTS` an event to be added.
  func write(key: StorageKey, value: Any?) throws
  /// A value; for `EVENTS` the blocks of events there are.
  func read<T>(key: StorageKey) -> T?
  /// The events of a block, as a JSON list.
  func getEventsString(eventBlock: URL) -> String?
  /// Removes a block.
  func remove(eventBlock: URL)
  /// Puts two blocks in the place of one.
  func splitBlock(eventBlock: URL, events: [BaseEvent])
  /// Closes the block that events are added to.
  func rollover()
  /// Forgets everything.
  func reset()
  /// Decides what becomes of a block once the server has answered.
  func getResponseHandler(
    configuration: Configuration,
    eventPipeline: EventPipeline,
    eventBlock: URL,
    eventsString: String
  ) -> any ResponseHandler
}

/// What a storage keeps.
public enum StorageKey: String, Sendable, Hashable, CaseIterable {
  /// The number of the last event.
  case LAST_EVENT_ID = "last_event_id"
  /// The session that was open last.
  case PREVIOUS_SESSION_ID = "previous_session_id"
  /// When the last event happened.
  case LAST_EVENT_TIME = "last_event_time"
  /// Not used.
  case OPT_OUT = "opt_out"
  /// The events.
  case EVENTS = "events"
  /// The user.
  case USER_ID = "user_id"
  /// The device.
  case DEVICE_ID = "device_id"
  /// The app's build at the last start.
  case APP_BUILD = "app_build"
  /// The app's version at the last start.
  case APP_VERSION = "app_version"
  /// The version of the way all this is kept.
  case STORAGE_VERSION = "storage_version"
}

/// Decides what becomes of a block of events once the server has answered; each says whether it did.
public protocol ResponseHandler {
  /// Takes an answer's status, or a failure; true if nothing has to be tried again.
  func handle(result: Result<Int, any Error>) -> Bool
  /// The server took the block.
  func handleSuccessResponse(code: Int) -> Bool
  /// The server refused some events, or all.
  func handleBadRequestResponse(data: [String: Any]) -> Bool
  /// The block is too large.
  func handlePayloadTooLargeResponse(data: [String: Any]) -> Bool
  /// The server has too much to do.
  func handleTooManyRequestsResponse(data: [String: Any]) -> Bool
  /// The request took too long.
  func handleTimeoutResponse(data: [String: Any]) -> Bool
  /// Anything else.
  func handleFailedResponse(data: [String: Any]) -> Bool
}

/// What sends the blocks of a storage.
public final class EventPipeline: Sendable {
  /// The client's configuration.
  public let configuration: Configuration

  init(configuration: Configuration) {
    self.configuration = configuration
  }
}
