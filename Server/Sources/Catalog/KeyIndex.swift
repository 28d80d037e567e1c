import CSodium

/// Every key that may send events, in memory: what ingest asks for each request.
///
/// A value that never changes. The lookup goes by a keyed hash and the comparison takes the same
/// time wherever two keys differ, so that answers tell nothing about keys that exist.
struct KeyIndex: Sendable {
  struct Entry: Sendable {
    let value: [UInt8]
    let resolution: KeyResolution
    /// From when on it counts as revoked, in milliseconds since 1970; nil for never.
    var endsAtMs: Int64?
    var facts: KeyFacts?
  }

  private let seed: [UInt8]
  private let entries: [UInt64: [Entry]]
  private let facts: [Int64: KeyFacts]

  static let secretPrefix = Array("ff_sec_".utf8)

  /// Where a value occurs twice (revoked, then adopted again) the first entry wins.
  init(_ list: [Entry]) {
    var seed = [UInt8](repeating: 0, count: Int(crypto_shorthash_KEYBYTES))
    randombytes_buf(&seed, seed.count)
    self.seed = seed
    var entries: [UInt64: [Entry]] = [:]
    for entry in list {
      let hash = entry.value.withUnsafeBytes { Self.hash($0, seed: seed) }
      entries[hash, default: []].append(entry)
    }
    self.entries = entries
    facts = Dictionary(
      list.compactMap { entry in
        guard case .project(_, let id) = entry.resolution else { return nil }
        return entry.facts.map { (id, $0) }
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// What is known of a working key, by its number.
  func facts(of id: Int64) -> KeyFacts? { facts[id] }

  func resolve(_ key: UnsafeRawBufferPointer, nowMs: () -> Int64) -> KeyResolution {
    for entry in entries[Self.hash(key, seed: seed)] ?? [] where Self.isEqual(entry.value, key) {
      if let endsAtMs = entry.endsAtMs, endsAtMs <= nowMs() { return .revoked }
      return entry.resolution
    }
    return key.starts(with: Self.secretPrefix) ? .secretKeyNotForIngest : .unknown
  }

  private static func isEqual(_ known: [UInt8], _ presented: UnsafeRawBufferPointer) -> Bool {
    guard known.count == presented.count, let start = presented.baseAddress else { return false }
    return sodium_memcmp(known, start, known.count) == 0
  }

  /// SipHash-2-4 under a key of this process.
  private static func hash(_ bytes: UnsafeRawBufferPointer, seed: [UInt8]) -> UInt64 {
    var hash: UInt64 = 0
    withUnsafeMutableBytes(of: &hash) { out in
      guard let out = out.bindMemory(to: UInt8.self).baseAddress else { return }
      let start = bytes.bindMemory(to: UInt8.self).baseAddress
      _ = crypto_shorthash(out, start, UInt64(bytes.count), seed)
    }
    return hash
  }
}
