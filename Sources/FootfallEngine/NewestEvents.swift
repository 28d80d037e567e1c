/// Events of which only the newest of each place is to be sent, until they go into a batch.
///
/// A value: the shell stores `encoded` whenever it changes, and puts everything into the journal
/// right before that is sealed.
struct NewestEvents: Sendable, Equatable {
  /// The newest event of a place.
  struct Entry: Sendable, Equatable {
    /// The place.
    let place: String
    /// What batches with this event say once.
    let commonContent: [UInt8]
    /// The event as it is sent.
    let event: [UInt8]
  }

  /// By the first event that came to each place, oldest first.
  private(set) var entries: [Entry] = []

  /// None.
  init() {}

  /// What was stored; what cannot be read is left out.
  init(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: Self.lineFeed, omittingEmptySubsequences: false)
    for first in stride(from: 0, to: lines.count - 3, by: 3) {
      let place = String(decoding: Self.joined(lines[first]), as: UTF8.self)
      let (content, event) = (Self.joined(lines[first + 1]), Self.joined(lines[first + 2]))
      guard !event.isEmpty else { continue }
      put(Entry(place: place, commonContent: content, event: event))
    }
  }

  /// The events as they are stored, three lines each.
  var encoded: [UInt8] {
    entries.reduce(into: []) { bytes, entry in
      for part in [Array(entry.place.utf8), entry.commonContent, entry.event] {
        bytes += Self.asLine(part) + [Self.lineFeed]
      }
    }
  }

  private static let lineFeed: UInt8 = 0x0a
  /// Stands for a line feed within a line; text in UTF-8 never has this byte.
  private static let mark: UInt8 = 0xff

  /// Bytes as one line: a device's id may have a line feed, and ends up in all three.
  private static func asLine(_ bytes: [UInt8]) -> [UInt8] {
    bytes.map { $0 == lineFeed ? mark : $0 }
  }

  private static func joined(_ line: ArraySlice<UInt8>) -> [UInt8] {
    line.map { $0 == mark ? lineFeed : $0 }
  }

  /// Puts an event into its place; whether there was none.
  @discardableResult
  mutating func put(_ entry: Entry) -> Bool {
    guard let index = entries.firstIndex(where: { $0.place == entry.place }) else {
      entries.append(entry)
      return true
    }
    entries[index] = entry
    return false
  }

  /// Takes an event out that is in the journal now, if it is still the newest of its place.
  mutating func remove(_ entry: Entry) {
    entries.removeAll { $0 == entry }
  }

  /// Forgets all of them.
  mutating func removeAll() {
    entries = []
  }
}
