#if os(Linux)

/// `z_stream` as in zlib.h, whose layout is part of zlib's stable interface.
struct ZStream {
  var nextIn: UnsafePointer<UInt8>?
  var availableIn: UInt32 = 0
  var totalIn: UInt = 0
  var nextOut: UnsafeMutablePointer<UInt8>?
  var availableOut: UInt32 = 0
  var totalOut: UInt = 0
  var message: UnsafePointer<CChar>?
  var state: OpaquePointer?
  var allocate: OpaquePointer?
  var free: OpaquePointer?
  var opaque: OpaquePointer?
  var dataType: Int32 = 0
  var adler: UInt = 0
  var reserved: UInt = 0
}

/// The functions used of `libz.so.1`, bound when first needed and never unloaded.
struct ZlibLibrary: Sendable {
  /// Points to a `ZStream`; C function types cannot name a structure of Swift.
  typealias Stream = UnsafeMutableRawPointer

  let version: @convention(c) () -> UnsafePointer<CChar>?
  let deflateInit2:
    @convention(c) (
      Stream, Int32, Int32, Int32, Int32, Int32, UnsafePointer<CChar>?, Int32
    ) -> Int32
  let deflate: @convention(c) (Stream, Int32) -> Int32
  let deflateReset: @convention(c) (Stream) -> Int32
  let deflateEnd: @convention(c) (Stream) -> Int32

  static let shared = Result { () throws(MissingLibrary) in try ZlibLibrary(named: "libz.so.1") }

  init(named name: String) throws(MissingLibrary) {
    let library = try DynamicLibrary(named: name)
    version = try library.function("zlibVersion")
    deflateInit2 = try library.function("deflateInit2_")
    deflate = try library.function("deflate")
    deflateReset = try library.function("deflateReset")
    deflateEnd = try library.function("deflateEnd")
  }
}
#endif
