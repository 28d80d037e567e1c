import Wire

/// The endpoints that lately came with events, and what they said.
struct KnownEndpoints {
  struct Key: Hashable {
    let app: String
    /// The bytes of its id: a text that only reads the same is another's.
    let id: [UInt8]

    init(app: String, id: String) {
      self.app = app
      self.id = Array(id.lowercased().utf8)
    }
  }

  private struct Entry {
    let print: Int
    let verdict: PinpointEvents.Verdict
  }

  private static let maxEntries = 100_000
  private var entries: [Key: Entry] = [:]

  /// A hash of what was said, under a key of this process.
  static func print(of json: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: json)
    return hasher.finalize()
  }

  /// What is known of an endpoint that says the same again.
  func verdict(_ key: Key, print: Int) -> PinpointEvents.Verdict? {
    guard let entry = entries[key], entry.print == print else { return nil }
    return entry.verdict
  }

  /// Remembers an endpoint; a flood of others forgets them all.
  mutating func note(_ key: Key, print: Int, _ verdict: PinpointEvents.Verdict) {
    if entries.count >= Self.maxEntries { entries.removeAll() }
    entries[key] = Entry(print: print, verdict: verdict)
  }

  /// Forgets endpoints that changed.
  mutating func forget(app: String, ids: [String]) {
    for id in ids { entries[Key(app: app, id: id)] = nil }
  }
}
