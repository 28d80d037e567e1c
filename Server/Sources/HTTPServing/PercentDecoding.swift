/// Decoding of `%XX` in paths, queries and forms.
enum PercentDecoding {
  /// The text behind escaped bytes.
  ///
  /// - Parameters:
  ///   - bytes: as they stand in the request.
  ///   - plusIsSpace: whether `+` means a space, as in queries and forms.
  /// - Returns: the text; nil for a broken escape, NUL, in a path any control character, or bytes
  ///   that are not UTF-8.
  static func text(_ bytes: UnsafeRawBufferPointer, plusIsSpace: Bool) -> String? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      var byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard index + 1 < bytes.count, let high = bytes[index].hexDigitValue,
          let low = bytes[index + 1].hexDigitValue
        else { return nil }
        byte = high << 4 | low
        index += 2
      } else if plusIsSpace, byte == UInt8(ascii: "+") {
        byte = UInt8(ascii: " ")
      }
      decoded.append(byte)
    }
    guard plusIsSpace || !decoded.contains(where: { $0 < 0x20 || $0 == 0x7f }) else { return nil }
    guard !decoded.contains(0) else { return nil }
    return String(validating: decoded, as: UTF8.self)
  }

  /// The pairs of a query or an `application/x-www-form-urlencoded` body, in order.
  ///
  /// A pair that cannot be decoded is left out.
  static func pairs(_ bytes: UnsafeRawBufferPointer) -> [(name: String, value: String)] {
    parts(bytes).compactMap(pair)
  }

  /// Whether every pair of a query can be decoded.
  static func areReadable(_ bytes: UnsafeRawBufferPointer) -> Bool {
    parts(bytes).allSatisfy { pair($0) != nil }
  }

  private static func parts(_ bytes: UnsafeRawBufferPointer) -> [Slice<UnsafeRawBufferPointer>] {
    bytes.split(separator: UInt8(ascii: "&"))
  }

  private static func pair(
    _ part: Slice<UnsafeRawBufferPointer>
  ) -> (name: String, value: String)? {
    let equals = part.firstIndex(of: UInt8(ascii: "="))
    let name = UnsafeRawBufferPointer(rebasing: part[part.startIndex..<(equals ?? part.endIndex)])
    let value = UnsafeRawBufferPointer(
      rebasing: part[(equals.map { $0 + 1 } ?? part.endIndex)..<part.endIndex]
    )
    guard let name = text(name, plusIsSpace: true), let value = text(value, plusIsSpace: true)
    else { return nil }
    return (name, value)
  }
}
