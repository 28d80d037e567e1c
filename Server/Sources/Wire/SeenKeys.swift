import EventRecord

/// The keys of one request's events, to find repeats within it.
struct SeenKeys: ~Copyable {
  private struct Slot {
    var key: EventKey
    var timeMs: Int64
  }

  private var slots: UnsafeMutablePointer<Slot>
  /// The request in which a slot was last taken; other numbers mean that it is free.
  private var requests: UnsafeMutablePointer<UInt64>
  private var capacity = 256
  private var count = 0
  private var request: UInt64 = 0
  private let multiplier: UInt64

  /// No keys; a secret seed keeps a sender from choosing keys that fall into one slot.
  init(seed: UInt64) {
    multiplier = seed | 1
    slots = .allocate(capacity: capacity)
    requests = .allocate(capacity: capacity)
    requests.initialize(repeating: 0, count: capacity)
  }

  deinit {
    slots.deallocate()
    requests.deallocate()
  }

  /// Forgets all keys.
  mutating func removeAll() {
    request += 1
    count = 0
  }

  /// Adds a key; false when it is there already with an own time less than `windowMs` away.
  mutating func insert(_ key: EventKey, timeMs: Int64 = 0, windowMs: Int64 = 1) -> Bool {
    if count * 2 >= capacity { grow() }
    var slot = Int(truncatingIfNeeded: (key.low &* multiplier) >> 32) & (capacity - 1)
    while requests[slot] == request {
      if slots[slot].key == key, abs(slots[slot].timeMs - timeMs) < windowMs { return false }
      slot = (slot + 1) & (capacity - 1)
    }
    slots[slot] = Slot(key: key, timeMs: timeMs)
    requests[slot] = request
    count += 1
    return true
  }

  private mutating func grow() {
    let (oldSlots, oldRequests, oldCapacity) = (slots, requests, capacity)
    capacity *= 4
    slots = .allocate(capacity: capacity)
    requests = .allocate(capacity: capacity)
    requests.initialize(repeating: 0, count: capacity)
    count = 0
    for slot in 0..<oldCapacity where oldRequests[slot] == request {
      // A window of 0: all of them are there because they are no repeats.
      _ = insert(oldSlots[slot].key, timeMs: oldSlots[slot].timeMs, windowMs: 0)
    }
    oldSlots.deallocate()
    oldRequests.deallocate()
  }
}
