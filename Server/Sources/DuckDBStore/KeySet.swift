import EventRecord

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A growing set of event keys: open addressing, 16 bytes a slot, at most three quarters full.
///
/// One thread at a time.
final class KeySet {
  /// How many keys it holds.
  private(set) var count = 0
  /// The batch that used the set last; the store forgets the sets that were not used for longest.
  var lastBatch: UInt64 = 0

  private var slots: UnsafeMutablePointer<Slot>?
  private var mask = 0
  private var used = 0
  // All bits zero marks a free slot, so that key needs a place of its own.
  private var hasZeroKey = false

  fileprivate struct Slot {
    var low: UInt64
    var high: UInt64
  }

  deinit {
    free(slots)
  }

  /// The memory behind the slots, in bytes.
  var bytes: Int {
    slots == nil ? 0 : (mask + 1) * MemoryLayout<Slot>.stride
  }

  /// True when the key is in the set.
  func contains(_ key: EventKey) -> Bool {
    guard key.low | key.high != 0 else { return hasZeroKey }
    guard let slots else { return false }
    return slots[index(of: key, in: slots)].isTaken
  }

  /// Adds a key; false when it was there.
  func insert(_ key: EventKey) -> Bool {
    guard key.low | key.high != 0 else {
      defer { hasZeroKey = true }
      count += hasZeroKey ? 0 : 1
      return !hasZeroKey
    }
    if (used + 1) * 4 > (mask + 1) * 3 || slots == nil { grow() }
    guard let slots else { return false }
    let index = index(of: key, in: slots)
    guard !slots[index].isTaken else { return false }
    slots[index] = Slot(low: key.low, high: key.high)
    used += 1
    count += 1
    return true
  }

  /// Where the key is, or the free slot where it belongs.
  private func index(of key: EventKey, in slots: UnsafeMutablePointer<Slot>) -> Int {
    // Keys are hashes with a published key; the secret keeps crafted ones from piling up.
    let mixed = (key.low ^ Self.secret) &* 0x9e37_79b9_7f4a_7c15
    var index = Int(truncatingIfNeeded: mixed >> 20) & mask
    while slots[index].isTaken, slots[index].low != key.low || slots[index].high != key.high {
      index = (index + 1) & mask
    }
    return index
  }

  private func grow() {
    let old = slots
    let oldCount = old == nil ? 0 : mask + 1
    mask = max(16, oldCount * 2) - 1
    let new: UnsafeMutablePointer<Slot> = Self.zeroed(mask + 1)
    slots = new
    for index in 0..<oldCount {
      guard let slot = old?[index], slot.isTaken else { continue }
      new[self.index(of: EventKey(high: slot.high, low: slot.low), in: new)] = slot
    }
    free(old)
  }

  private static func zeroed(_ count: Int) -> UnsafeMutablePointer<Slot> {
    guard let memory = calloc(count, MemoryLayout<Slot>.stride) else {
      preconditionFailure("No memory for \(count) event keys.")
    }
    return memory.bindMemory(to: Slot.self, capacity: count)
  }

  private static let secret = UInt64.random(in: .min ... .max)
}

extension KeySet.Slot {
  fileprivate var isTaken: Bool { low | high != 0 }
}
