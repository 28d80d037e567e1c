/// What a request's path is, told from its bytes: nothing in here touches a file, but what a route
/// is given must not be able to climb out of a folder either.
enum RequestPath: Equatable {
  /// Printable ASCII without escapes or dot segments: the bytes are the path.
  case plain
  /// Decoded segments, without the leading slash.
  case segments([String])
  /// Refused with status 400.
  case invalid

  /// Reads a path (without its query).
  ///
  /// Refused are paths that do not begin with `/`, `.` and `..` as segments however they are
  /// spelled, broken escapes, NUL and other control characters, backslashes, and bytes that are not
  /// UTF-8. An escaped slash stays inside its segment.
  init(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.first == UInt8(ascii: "/") else {
      self = .invalid
      return
    }
    var isPlain = true
    var previous: UInt8 = 0
    for byte in bytes {
      // `/.` begins every dot segment; the slower way below tells `/.well-known` from `/..`.
      if byte == UInt8(ascii: "%") || byte <= 0x20 || byte >= 0x7f || byte == UInt8(ascii: "\\")
        || (byte == UInt8(ascii: ".") && previous == UInt8(ascii: "/"))
      {
        isPlain = false
        break
      }
      previous = byte
    }
    self = isPlain ? .plain : RequestPath.decoded(bytes)
  }

  /// The decoded segments of any path; nil when it is refused.
  static func segments(of bytes: UnsafeRawBufferPointer) -> [String]? {
    guard case .segments(let segments) = decoded(bytes) else { return nil }
    return segments
  }

  /// The segments of a path that is `plain`.
  static func segments(ofPlain bytes: UnsafeRawBufferPointer) -> [String] {
    parts(bytes).map { String(decoding: UnsafeRawBufferPointer(rebasing: $0), as: UTF8.self) }
  }

  /// What stands between the slashes behind the first byte.
  private static func parts(_ bytes: UnsafeRawBufferPointer) -> [Slice<UnsafeRawBufferPointer>] {
    bytes.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  }

  private static func decoded(_ bytes: UnsafeRawBufferPointer) -> RequestPath {
    guard bytes.first == UInt8(ascii: "/") else { return .invalid }
    var segments: [String] = []
    for part in parts(bytes) {
      guard
        let segment = PercentDecoding.text(
          UnsafeRawBufferPointer(rebasing: part),
          plusIsSpace: false
        ),
        segment != ".", segment != "..", !segment.utf8.contains(UInt8(ascii: "\\"))
      else { return .invalid }
      segments.append(segment)
    }
    return .segments(segments)
  }
}
