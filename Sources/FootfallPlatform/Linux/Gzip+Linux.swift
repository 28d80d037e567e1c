#if os(Linux)
import FootfallSystem

extension Gzip {
  /// zlib as installed on this machine; says once, in the log, if there is none.
  package static func system(log: Logger) -> Gzip {
    let pool = DeflaterPool()
    return Gzip { bytes in
      switch ZlibLibrary.shared {
      case .success(let library):
        return pool.compress(bytes, with: library)
      case .failure(let missing):
        log.notice("Batches are sent uncompressed: \(missing.reason).")
        return nil
      }
    }
  }
}

/// Deflate states at rest, each used by one thread at a time: making one costs 260 KB of memory.
final class DeflaterPool: Sendable {
  private let resting = Lock<[Deflater]>([])

  func compress(_ bytes: [UInt8], with library: ZlibLibrary) -> [UInt8]? {
    guard let deflater = resting.withLock({ $0.popLast() }) ?? Deflater(library) else { return nil }
    let result = deflater.compress(bytes)
    resting.withLock { if $0.count < 2 { $0.append(deflater) } }
    return result
  }
}

/// One deflate state of zlib.
///
/// Safety: `stream` points to memory this object owns and is used by one thread at a time, the one
/// that took the deflater out of the pool.
final class Deflater: @unchecked Sendable {
  private let library: ZlibLibrary
  private let stream: UnsafeMutablePointer<ZStream>

  init?(_ library: ZlibLibrary) {
    self.library = library
    stream = .allocate(capacity: 1)
    stream.initialize(to: ZStream())
    // zlib compares the size with its own and refuses a structure laid out otherwise.
    let code = library.deflateInit2(
      stream,
      Gzip.level,
      Zlib.deflated,
      Zlib.gzipWindowBits,
      Zlib.defaultMemoryLevel,
      Zlib.defaultStrategy,
      library.version(),
      Int32(MemoryLayout<ZStream>.size)
    )
    guard code == Zlib.ok else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    _ = library.deflateEnd(stream)
    stream.deallocate()
  }

  func compress(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count <= Int(UInt32.max) / 2, library.deflateReset(stream) == Zlib.ok else {
      return nil
    }
    let result = [UInt8](unsafeUninitializedCapacity: Zlib.bound(bytes.count)) { output, count in
      count = bytes.withUnsafeBufferPointer { input in
        stream.pointee.nextIn = input.baseAddress
        stream.pointee.availableIn = UInt32(input.count)
        stream.pointee.nextOut = output.baseAddress
        stream.pointee.availableOut = UInt32(output.count)
        let isWhole = library.deflate(stream, Zlib.finish) == Zlib.streamEnd
        return isWhole ? output.count - Int(stream.pointee.availableOut) : 0
      }
    }
    return result.isEmpty ? nil : result
  }
}
#endif
