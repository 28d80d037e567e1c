/// Memory and random bits that decoding reuses from request to request.
///
/// One per thread, or from a pool: not for two threads at a time.
public final class WireScratch {
  /// Makes the keys of events without identity differ from everyone else's.
  let nonce: (UInt64, UInt64)
  /// Counts the keys made with the nonce.
  var randomKeys: UInt64 = 0
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
}
