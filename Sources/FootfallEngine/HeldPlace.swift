package import FootfallCore
import FootfallOutbox

/// Where identifies that are held back survive the process: in files, or with the app.
///
/// For the engine's thread.
protocol HeldPlace: AnyObject {
  /// Places where damage took events, found when it was opened.
  var damaged: Int { get }
  /// Adds events behind those before.
  func append(_ events: [Event]) throws(OutboxError)
  /// All events by what may be merged, oldest first; nil for one that cannot be read.
  func eventSets() throws(OutboxError) -> [[Event?]]
  /// Nothing is held any more; bytes may stay until `removeAll`.
  func clear() throws(OutboxError)
  /// Removes everything.
  func removeAll() throws(OutboxError)
  /// Makes everything added survive a power cut.
  func sync() throws(OutboxError)
  /// Gives the place back.
  func close()
}

extension HeldStore: HeldPlace {
  func append(_ events: [Event]) throws(OutboxError) { try append(events.map(\.bytes)) }

  func eventSets() throws(OutboxError) -> [[Event?]] {
    try sets().map { set in set.map { Event(bytes: $0) } }
  }
}

/// A place of the app's own for identifies that are held back.
///
/// Called on the engine's thread alone.
package protocol IdentifyKeeper: AnyObject, Sendable {
  /// Keeps an event behind those before, or throws what is in the way.
  func keep(_ event: Event) throws
  /// All that is kept, oldest first; nil for an event that cannot be read.
  func events() -> [Event?]
  /// Forgets all events.
  func removeAll()
}

/// Identifies that are held back with the app.
///
/// Of several events that are added some may be kept when one is not. What was sent meanwhile is sent once
/// more then, under the id it had.
final class HeldWithApp: HeldPlace {
  private let keeper: any IdentifyKeeper

  init(_ keeper: any IdentifyKeeper) {
    self.keeper = keeper
  }

  /// What the app lost it does not tell.
  var damaged: Int { 0 }

  func append(_ events: [Event]) throws(OutboxError) {
    for event in events {
      do { try keeper.keep(event) } catch {
        throw .failed("The app's storage does not take an identify: \(error)")
      }
    }
  }

  func eventSets() -> [[Event?]] {
    let events = keeper.events()
    return events.isEmpty ? [] : [events]
  }

  func clear() { keeper.removeAll() }
  func removeAll() { keeper.removeAll() }
  /// When its files survive a power cut is the app's to say.
  func sync() {}
  func close() {}
}
