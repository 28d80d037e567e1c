import FootfallCore
import FootfallOutbox
import FootfallPlatform
import FootfallSystem

/// Events of which only the newest of each place is sent, such as heartbeats of a session.
///
/// They wait in a file of their own, since the journal takes nothing back, and are put into it when
/// all that waits is sealed.
extension Destination {
  private static let newestFileName = "newest.events"

  private func newestPath(_ outbox: Outbox) -> String { outbox.folder + "/" + Self.newestFileName }

  /// Takes the event in `buffer`, in the place of the one before it.
  func hold(_ place: String) {
    let entry = NewestEvents.Entry(
      place: place,
      commonContent: groupContent,
      event: buffer.bytes
    )
    isNewestChanged = true
    guard newest.put(entry) else { return }
    newlyHeld.events += 1
    newlyHeld.bytes += entry.event.count
  }

  /// Stores what is held, and lets it count as waiting.
  func commitNewest() {
    guard isNewestChanged, outbox != nil else { return }
    isNewestChanged = false
    saveNewest()
    let (events, bytes) = newlyHeld
    newlyHeld = (0, 0)
    let effects = flushPolicy.receive(.stored(events: events, bytes: bytes), at: now)
    for effect in effects { perform(effect) }
  }

  private func saveNewest() {
    guard let outbox else { return }
    let path = newestPath(outbox)
    do throws(SystemError) {
      if newest.entries.isEmpty {
        if files.exists(path) { try files.remove(path) }
      } else {
        try files.replace(path, with: newest.encoded)
      }
    } catch {
      environment.log.warning("Events that wait to be replaced could not be stored: \(error)")
    }
  }

  /// Reads what an earlier run held.
  func loadNewest(from outbox: Outbox) {
    let path = newestPath(outbox)
    guard files.exists(path) else { return }
    do throws(SystemError) {
      for entry in NewestEvents(try files.readAll(path)).entries
      where !newest.entries.contains(where: { $0.place == entry.place }) {
        newest.put(entry)
      }
    } catch {
      environment.log.warning("Events that waited to be replaced cannot be read: \(error)")
    }
  }

  /// Puts what is held into the journal unless it could not be sent now: until then newer ones
  /// replace it.
  func storeNewestIfSendable() {
    if !upload.isOffline, upload.deadline == nil { storeNewest() }
  }

  /// Puts what is held into the journal, to be sealed now; should the process end on the way, an
  /// event may be there twice, under one id.
  func storeNewest() {
    guard !newest.entries.isEmpty, let outbox else { return }
    for entry in newest.entries {
      do throws(OutboxError) {
        outbox.commonContent = entry.commonContent
        try outbox.append([entry.event])
        newest.remove(entry)
      } catch {
        environment.log.warning("An event could not be stored and waits: \(error)")
      }
    }
    saveNewest()
  }

  /// Drops what is held.
  func dropNewest() {
    guard !newest.entries.isEmpty else { return }
    newest.removeAll()
    isNewestChanged = false
    newlyHeld = (0, 0)
    saveNewest()
  }
}
