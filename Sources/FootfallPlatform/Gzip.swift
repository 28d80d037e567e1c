/// Compresses request bodies.
///
/// A closure with a name, since what differs between platforms is only where zlib comes from.
package struct Gzip: Sendable {
  /// zlib's own middle between speed and size, and the level gzip uses by default.
  package static let level: Int32 = 6

  private let compressBytes: @Sendable ([UInt8]) -> [UInt8]?

  /// Makes a compressor from a closure.
  package init(compress: @escaping @Sendable ([UInt8]) -> [UInt8]?) { compressBytes = compress }

  /// No compression: `compress` always answers nil.
  package static let none = Gzip { _ in nil }

  /// A whole gzip member of the bytes, or nil if zlib is missing or out of memory: send them as they
  /// are, without `Content-Encoding`.
  ///
  /// The same bytes give the same member (no time in its header). Any thread; takes about 10 ms per
  /// megabyte.
  package func compress(_ bytes: [UInt8]) -> [UInt8]? { compressBytes(bytes) }
}

/// zlib's values that are not imported where the library is bound at run time.
///
/// Source: zlib.h, "constants", and the manual's section on `deflateInit2`.
enum Zlib {
  static let ok: Int32 = 0
  static let streamEnd: Int32 = 1
  static let finish: Int32 = 4
  static let deflated: Int32 = 8
  static let defaultStrategy: Int32 = 0
  /// 15 bits of window, plus 16 for a gzip header and trailer instead of zlib's.
  static let gzipWindowBits: Int32 = 15 + 16
  static let defaultMemoryLevel: Int32 = 8

  /// The most bytes a deflated buffer can take, header and trailer included.
  ///
  /// `deflateBound`'s worst case for a stream of unknown parameters, plus the 18 bytes of gzip.
  static func bound(_ count: Int) -> Int {
    count + (count + 7) >> 3 + (count + 63) >> 6 + 5 + 18
  }
}
