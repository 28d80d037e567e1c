/// The keys that stood at each place of the objects before.
///
/// Clients write the members of their events in one order. A key with the same bytes as the one that
/// was last seen at its place need not be checked or hashed again. The bytes are copied: what is known
/// outlives the text it was read from.
struct KnownKeys: ~Copyable {
  private let keys: UnsafeMutablePointer<KnownKey>
  /// Places this far apart share what is known; a power of two.
  private static let capacity = 64

  /// No keys.
  init() {
    keys = .allocate(capacity: Self.capacity)
    keys.initialize(repeating: KnownKey(), count: Self.capacity)
  }

  deinit {
    keys.deallocate()
  }

  /// The key last seen at a place, which is not negative.
  subscript(place: Int) -> KnownKey {
    @inline(__always) get { keys[place & (Self.capacity - 1)] }
    @inline(__always) nonmutating set { keys[place & (Self.capacity - 1)] = newValue }
  }
}

/// A checked key without escapes, quotes included, of at most 16 bytes.
struct KnownKey {
  /// The bytes, the first one lowest.
  private var words: (UInt64, UInt64) = (0, 0)
  /// Which bytes count; at first all, and they are what no string begins with.
  private var masks: (UInt64, UInt64) = (.max, .max)
  /// How many bytes there are, quotes included.
  private(set) var length = 0
  /// What `KeyTable` made of the key; 0 when it was not asked.
  private(set) var hash: UInt32 = 0

  /// Nothing is known.
  init() {}

  /// The string of `length` bytes at `quote`, where 16 bytes can be read; nil when it is longer.
  @inline(__always)
  init?(at quote: UnsafePointer<UInt8>, length: Int, hash: UInt32) {
    guard length <= 16 else { return nil }
    let bits = 8 &* UInt64(truncatingIfNeeded: length)
    masks = bits < 64 ? ((1 &<< bits) &- 1, 0) : (.max, (1 << (bits &- 64)) &- 1)
    words = (Self.word(quote) & masks.0, Self.word(quote + 8) & masks.1)
    self.length = length
    self.hash = hash
  }

  /// True when the key is what stands at `quote`, where 16 bytes can be read.
  @inline(__always)
  func stands(at quote: UnsafePointer<UInt8>) -> Bool {
    let first = (Self.word(quote) & masks.0) ^ words.0
    let second = (Self.word(quote + 8) & masks.1) ^ words.1
    return (first | second) == 0
  }

  @inline(__always)
  private static func word(_ start: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
  }
}
