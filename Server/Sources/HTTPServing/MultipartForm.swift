/// Reads the fields of a `multipart/form-data` body (RFC 7578).
enum MultipartForm {
  /// The names and values of all fields, in order; a part without a name, or that is not UTF-8, is
  /// left out.
  ///
  /// - Parameters:
  ///   - body: the whole body.
  ///   - contentType: the request's content type, which names the boundary.
  /// - Returns: nil when the content type is another one or names no boundary.
  static func pairs(
    _ body: UnsafeRawBufferPointer,
    contentType: String
  ) -> [(name: String, value: String)]? {
    parts(body, contentType: contentType)?.compactMap { part in
      String(validating: part.value, as: UTF8.self).map { (part.name, $0) }
    }
  }

  /// The names and bytes of all fields, files among them, in order.
  ///
  /// - Returns: nil when the content type is another one or names no boundary.
  static func parts(
    _ body: UnsafeRawBufferPointer,
    contentType: String
  ) -> [(name: String, value: ArraySlice<UInt8>)]? {
    guard contentType.lowercased().hasPrefix("multipart/form-data"),
      let boundary = parameter("boundary", of: contentType), !boundary.isEmpty
    else { return nil }
    // A line break ends what stands before a boundary and belongs to it.
    let delimiter = Array("\r\n--\(boundary)".utf8)
    var text = Array("\r\n".utf8)
    text.append(contentsOf: body)
    return parts(of: text, delimiter).compactMap(field)
  }

  private static func parts(of text: [UInt8], _ delimiter: [UInt8]) -> [ArraySlice<UInt8>] {
    var parts: [ArraySlice<UInt8>] = []
    var start: Int?
    var rest = text[...]
    while let place = rest.firstRange(of: delimiter) {
      if let start { parts.append(text[start..<place.lowerBound]) }
      // Two hyphens end the form.
      if text[place.upperBound...].starts(with: "--".utf8) { return parts }
      start = place.upperBound
      rest = text[place.upperBound...]
    }
    return parts
  }

  private static func field(
    _ part: ArraySlice<UInt8>
  ) -> (name: String, value: ArraySlice<UInt8>)? {
    guard let gap = part.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let header = String(decoding: part[..<gap.lowerBound], as: UTF8.self)
    let disposition = header.split(whereSeparator: \.isNewline)
      .first { $0.lowercased().hasPrefix("content-disposition:") }
    guard let name = disposition.flatMap({ parameter("name", of: String($0)) }) else { return nil }
    return (name, part[gap.upperBound...])
  }

  /// The value of a parameter such as `name="x"` behind a semicolon.
  private static func parameter(_ name: String, of field: String) -> String? {
    for piece in field.split(separator: ";").dropFirst() {
      let trimmed = piece.drop { $0 == " " }
      guard let equals = trimmed.firstIndex(of: "="), trimmed[..<equals].lowercased() == name else {
        continue
      }
      let value = trimmed[trimmed.index(after: equals)...]
      return String(value.hasPrefix("\"") ? value.dropFirst().prefix { $0 != "\"" } : value)
    }
    return nil
  }
}
