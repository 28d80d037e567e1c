/// The keys of the objects that are being copied, one frame per open object.
///
/// Finds repeated keys. Frames nest: the keys of an inner object are taken away when it closes.
struct KeyTable: ~Copyable {
  private var hashes: UnsafeMutablePointer<UInt32>
  /// Where each key's member starts in the output.
  private var starts: UnsafeMutablePointer<Int>
  private var capacity = 256
  /// How many keys the open objects have.
  private(set) var count = 0
  private let seed: UInt64

  /// An empty table; a secret seed keeps a sender from choosing keys with equal hashes.
  init(seed: UInt64) {
    self.seed = seed
    hashes = .allocate(capacity: capacity)
    starts = .allocate(capacity: capacity)
  }

  deinit {
    hashes.deallocate()
    starts.deallocate()
  }

  /// The start of the member with number `index`.
  subscript(index: Int) -> Int { starts[index] }

  /// The hash by which a key is looked for.
  @inline(__always)
  func hash(_ key: UnsafeRawBufferPointer) -> UInt32 {
    var hash = seed ^ UInt64(truncatingIfNeeded: key.count)
    var offset = 0
    while offset + 8 <= key.count {
      hash = mix(hash ^ key.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    // The rest as whole words where there are enough bytes, overlapping what has been read.
    var tail: UInt64 = 0
    if key.count >= 8 {
      tail = key.loadUnaligned(fromByteOffset: key.count - 8, as: UInt64.self)
    } else if key.count >= 4 {
      tail = UInt64(key.loadUnaligned(fromByteOffset: 0, as: UInt32.self)) << 32
      tail |= UInt64(key.loadUnaligned(fromByteOffset: key.count - 4, as: UInt32.self))
    } else {
      for byte in key { tail = tail << 8 | UInt64(byte) }
    }
    hash = mix(hash ^ tail)
    return UInt32(truncatingIfNeeded: hash >> 32)
  }

  @inline(__always)
  private func mix(_ word: UInt64) -> UInt64 {
    let product = word.multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    return product.high ^ product.low
  }

  /// The first key from number `first` on with this hash.
  @inline(__always)
  func find(_ hash: UInt32, from first: Int) -> Int? {
    var index = first
    while index < count {
      if hashes[index] == hash { return index }
      index += 1
    }
    return nil
  }

  /// Adds a key.
  @inline(__always)
  mutating func append(_ hash: UInt32, start: Int) {
    if count == capacity { grow() }
    hashes[count] = hash
    starts[count] = start
    count += 1
  }

  /// Takes one key out; the members behind it have moved forward by `bytes`.
  mutating func remove(_ index: Int, shiftingBy bytes: Int) {
    for later in index..<count - 1 {
      hashes[later] = hashes[later + 1]
      starts[later] = starts[later + 1] - bytes
    }
    count -= 1
  }

  /// Closes the frames from number `first` on.
  @inline(__always)
  mutating func close(_ first: Int) {
    count = first
  }

  private mutating func grow() {
    let moreHashes = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity * 2)
    let moreStarts = UnsafeMutablePointer<Int>.allocate(capacity: capacity * 2)
    moreHashes.update(from: hashes, count: count)
    moreStarts.update(from: starts, count: count)
    hashes.deallocate()
    starts.deallocate()
    hashes = moreHashes
    starts = moreStarts
    capacity *= 2
  }
}
