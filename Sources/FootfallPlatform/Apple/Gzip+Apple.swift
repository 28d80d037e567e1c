#if canImport(zlib)
import zlib

extension Gzip {
  /// The system's zlib.
  package static func system(log: Logger) -> Gzip {
    Gzip { bytes in deflated(bytes) }
  }

  private static func deflated(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.count <= Int(UInt32.max) / 2 else { return nil }
    var stream = z_stream()
    let code = deflateInit2_(
      &stream,
      level,
      Zlib.deflated,
      Zlib.gzipWindowBits,
      Zlib.defaultMemoryLevel,
      Zlib.defaultStrategy,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    guard code == Zlib.ok else { return nil }
    defer { deflateEnd(&stream) }
    var input = bytes
    let result = [UInt8](unsafeUninitializedCapacity: Zlib.bound(bytes.count)) { output, count in
      count = input.withUnsafeMutableBufferPointer { input in
        stream.next_in = input.baseAddress
        stream.avail_in = uInt(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = uInt(output.count)
        let isWhole = deflate(&stream, Zlib.finish) == Zlib.streamEnd
        return isWhole ? output.count - Int(stream.avail_out) : 0
      }
    }
    return result.isEmpty ? nil : result
  }
}
#endif
