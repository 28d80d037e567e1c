import FootfallCore
import FootfallEngine
import Foundation

/// Keeps identifies that are held back in a storage of the app's own: each is written as an event, and read
/// back, in blocks, only by the next run.
///
/// Source: `amplitude.md` sections 2.5 and 2.10, scenario F15.
final class IdentifyStorageKeeper: IdentifyKeeper, @unchecked Sendable {
  // Sendable by the document's promise: a storage is called by one thread at a time, which is the engine's.
  private let storage: any Storage

  init(_ storage: any Storage) {
    self.storage = storage
  }

  func keep(_ event: Event) throws {
    try storage.write(key: .EVENTS, value: BaseEvent.make(event))
  }

  func events() -> [Event?] {
    storage.rollover()
    return storage.blocks.flatMap { block -> [Event?] in
      guard let text = storage.getEventsString(eventBlock: block) else { return [nil] }
      return AmplitudeEventFile.objects(Array(text.utf8)).map { AmplitudeEventReader.read($0) }
    }
  }

  func removeAll() {
    storage.rollover()
    for block in storage.blocks { storage.remove(eventBlock: block) }
  }
}

extension Storage {
  /// The blocks of events there are, oldest first.
  var blocks: [URL] {
    let blocks: [URL]? = read(key: .EVENTS)
    return blocks ?? []
  }
}
