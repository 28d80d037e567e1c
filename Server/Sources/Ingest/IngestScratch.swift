internal import FootfallSystem
internal import Wire

/// What decoding one request needs and the next one can use again.
final class IngestScratch: @unchecked Sendable {
  // Safety: taken from the pool by one thread at a time.
  var wire = WireScratch()
  let inflater = Inflater()
  let streams = StreamScratch()
}

/// Scratch space for as many requests as are decoded at once.
final class ScratchPool: Sendable {
  private let idle = Lock([IngestScratch]())

  /// Runs `body` with scratch space of its own.
  func with<R, Failure: Error>(
    _ body: (IngestScratch) throws(Failure) -> R
  ) throws(Failure) -> R {
    let scratch = idle.withLock { $0.popLast() } ?? IngestScratch()
    defer { idle.withLock { $0.append(scratch) } }
    return try body(scratch)
  }
}
