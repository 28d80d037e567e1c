extension Request {
  /// The query's pairs, decoded, in order.
  public var queryItems: [(name: String, value: String)] { PercentDecoding.pairs(rawQuery) }

  /// Whether the whole query can be decoded; `queryItems` leaves out what cannot.
  public var isQueryReadable: Bool { PercentDecoding.areReadable(rawQuery) }

  /// The first value of that name in the query.
  public func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

  /// The pairs of a form's body, url-encoded or in parts, decoded, in order; empty unless the content
  /// type says it is one.
  public var formItems: [(name: String, value: String)] {
    let type = header("content-type") ?? ""
    guard type.lowercased().hasPrefix("application/x-www-form-urlencoded") else {
      return MultipartForm.pairs(body, contentType: type) ?? []
    }
    return PercentDecoding.pairs(body)
  }

  /// The first value of that name in a form's body.
  public func form(_ name: String) -> String? { formItems.first { $0.name == name }?.value }

  /// The bytes of the first file of that name in a form's body in parts; nil for none.
  public func formFile(_ name: String) -> [UInt8]? {
    MultipartForm.parts(body, contentType: header("content-type") ?? "")?
      .first { $0.name == name }.map { Array($0.value) }
  }

  /// The cookie's value, as sent.
  public func cookie(_ name: String) -> String? {
    guard let field = header("cookie") else { return nil }
    for pair in field.split(separator: ";") {
      let trimmed = pair.drop { $0 == " " }
      guard let equals = trimmed.firstIndex(of: "="), trimmed[..<equals] == name else { continue }
      return String(trimmed[trimmed.index(after: equals)...])
    }
    return nil
  }
}
