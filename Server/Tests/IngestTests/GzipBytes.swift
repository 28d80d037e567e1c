import CDeflate
import Testing

/// Bodies as clients compress them.
enum GzipBytes {
  /// One gzip member.
  static func compress(_ bytes: [UInt8]) throws -> [UInt8] {
    let compressor = try #require(libdeflate_alloc_compressor(9))
    defer { libdeflate_free_compressor(compressor) }
    var output = [UInt8](
      repeating: 0,
      count: libdeflate_gzip_compress_bound(compressor, bytes.count)
    )
    let count = libdeflate_gzip_compress(
      compressor,
      bytes,
      bytes.count,
      &output,
      output.count
    )
    return Array(output[..<count])
  }
}
