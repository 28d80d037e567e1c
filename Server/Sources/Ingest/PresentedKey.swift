internal import HTTPServing

/// The key a request came with, wherever its client puts it.
enum PresentedKey {
  /// Hands the key's bytes to `body`; nil where there is none.
  ///
  /// `Authorization: Bearer`, then `X-API-Key`, `X-Ingest-Key`, `X-SDL-Key`, then the user name of
  /// `Authorization: Basic`. Source: SimpleDataLogs, ingest, "Authentication"; ours is the first.
  static func withBytes<R>(of request: Request, _ body: (UnsafeRawBufferPointer?) -> R) -> R {
    if let token = bearer(of: request) { return body(token) }
    for name in ["x-api-key", "x-ingest-key", "x-sdl-key"] as [StaticString] {
      if let value = request.headerBytes(name), !value.isEmpty { return body(trimmed(value)) }
    }
    if let encoded = request.headerBytes("authorization").flatMap({
      parameter(of: $0, scheme: "basic ")
    }),
      let decoded = Base64.decode(encoded, maxBytes: 1_024)
    {
      let user = decoded.prefix { $0 != UInt8(ascii: ":") }
      return user.isEmpty ? body(nil) : user.withUnsafeBytes { body($0) }
    }
    return body(nil)
  }

  /// The token of `Authorization: Bearer`; nil where there is none.
  static func bearer(of request: Request) -> UnsafeRawBufferPointer? {
    request.headerBytes("authorization").flatMap { parameter(of: $0, scheme: "bearer ") }
  }

  private static func parameter(
    of field: UnsafeRawBufferPointer,
    scheme: StaticString
  )
    -> UnsafeRawBufferPointer?
  {
    let count = scheme.utf8CodeUnitCount
    guard field.count > count else { return nil }
    for index in 0..<count {
      let byte = field[index]
      guard (byte &- 0x41 < 26 ? byte | 0x20 : byte) == scheme.utf8Start[index] else { return nil }
    }
    let rest = trimmed(UnsafeRawBufferPointer(rebasing: field[count...]))
    return rest.isEmpty ? nil : rest
  }

  private static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    var start = bytes.startIndex
    var end = bytes.endIndex
    while start < end, bytes[start] <= 0x20 { start += 1 }
    while start < end, bytes[end - 1] <= 0x20 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }
}

/// Decoding of RFC 4648 base 64, for the one header field that uses it.
enum Base64 {
  /// The bytes; nil for anything that is not base 64, or more than `maxBytes`.
  static func decode(_ text: UnsafeRawBufferPointer, maxBytes: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var bits: UInt32 = 0
    var held = 0
    let unpadded = text.prefix { $0 != UInt8(ascii: "=") }
    guard text.count - unpadded.count <= 2, unpadded.count % 4 != 1,
      unpadded.count <= maxBytes / 3 * 4
    else { return nil }
    for byte in unpadded {
      guard let value = value(of: byte) else { return nil }
      bits = bits << 6 | UInt32(value)
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    return bytes
  }

  private static func value(of byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
