import EventRecord

/// Memory and random bits that decoding reuses from request to request.
///
/// One per thread, or from a pool: not for two threads at a time.
public final class WireScratch {
  /// Makes the keys of events without identity differ from everyone else's.
  private let nonce: (UInt64, UInt64)
  /// Counts the keys made with the nonce.
  private var randomKeys: UInt64 = 0
  private let seed: UInt64
  private var memory: WireMemory?

  /// Scratch space that takes its random bits from the system.
  public convenience init() {
    var random = SystemRandomNumberGenerator()
    self.init(using: &random)
  }

  /// Scratch space that draws its random bits, once, from `random`.
  public init(using random: inout some RandomNumberGenerator) {
    nonce = (random.next(), random.next())
    seed = random.next()
  }

  /// Hands the memory out; it comes back through `keep`.
  func takeMemory() -> WireMemory {
    memory.take() ?? WireMemory(seed: seed)
  }

  /// Takes the memory back for the next request.
  func keep(_ memory: consuming WireMemory) {
    self.memory = consume memory
  }

  /// The key of an event without identity.
  func randomKey(project: UInt32) -> EventKey {
    randomKeys += 1
    return .random(project: project, nonce: nonce, counter: randomKeys)
  }

  /// A new id that sorts by time: 26 digits of Crockford's base 32, the first ten of which are a time
  /// in milliseconds since 1970.
  func ulid(atMs timeMs: Int64) -> String {
    let bits = randomKey(project: 0)
    var (high, low) = (UInt64(max(0, timeMs)) << 16 | bits.high & 0xffff, bits.low)
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    var text = [UInt8](repeating: 0, count: 26)
    for place in text.indices.reversed() {
      text[place] = digits[Int(low & 31)]
      low = low >> 5 | high << 59
      high >>= 5
    }
    return String(decoding: text, as: UTF8.self)
  }
}
