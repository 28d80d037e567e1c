/// Where random bytes come from.
///
/// `system` is the operating system's generator, fit for ids and jitter; `seeded` repeats itself and
/// is meant for tests and the demo.
package struct RandomSource: Sendable {
  /// Fills a buffer with random bytes; any thread.
  package let fill: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  /// Makes a source from a closure that fills a buffer.
  package init(fill: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void) {
    self.fill = fill
  }

  /// The operating system's generator (`getrandom` on Linux, `arc4random_buf` on Apple platforms).
  package static let system = RandomSource { buffer in
    // The standard library reads the system's generator here and cannot fail.
    var generator = SystemRandomNumberGenerator()
    var offset = 0
    while offset < buffer.count {
      var word: UInt64 = generator.next()
      let count = min(8, buffer.count - offset)
      withUnsafeBytes(of: &word) { bytes in
        buffer[offset..<offset + count].copyBytes(from: bytes.prefix(count))
      }
      offset += count
    }
  }
}

/// Random numbers drawn from a block of bytes, so that one costs a copy and not a system call.
///
/// A value: keep it inside the state that a lock already protects, and pass it as
/// `using: inout some RandomNumberGenerator` to what decides. A copy repeats what the original gives.
package struct RandomBytes: RandomNumberGenerator, Sendable {
  /// How much is fetched from the source at a time, in bytes.
  package static let blockBytes = 2_048

  private let source: RandomSource
  private var words: [UInt64]
  private var next64: Int

  /// Makes a generator that fetches its first block when it is first asked.
  package init(_ source: RandomSource = .system) {
    self.source = source
    words = Array(repeating: 0, count: Self.blockBytes / 8)
    next64 = words.count
  }

  /// Eight random bytes.
  package mutating func next() -> UInt64 {
    if next64 == words.count { refill() }
    defer { next64 += 1 }
    return words[next64]
  }

  private mutating func refill() {
    words.withUnsafeMutableBytes { source.fill($0) }
    next64 = 0
  }
}
