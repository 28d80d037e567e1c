/// One header field of an answer.
public struct Header: Sendable, Hashable {
  /// The field's name as it is sent.
  public var name: String
  /// The field's value; must not hold line breaks.
  public var value: String

  /// Makes a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What is answered: status, header fields and a whole body.
///
/// `Content-Length`, `Date` and `Connection` are added when it is sent, and an `X-Request-Id` that
/// the log line repeats.
public struct Response: Sendable {
  /// The status code.
  public var status: Int { didSet { prepared = nil } }
  /// The header fields in order.
  public var headers: [Header] { didSet { prepared = nil } }
  /// The body's bytes.
  public var body: [UInt8] { didSet { prepared = nil } }
  /// The path of a file that is sent in place of the body, piece by piece; nil for none.
  public private(set) var file: String?
  /// Whether that file is removed as soon as it is open to be sent; no by default.
  public var removesFile = false
  /// The sent form made ahead, as long as nothing was changed since.
  var prepared: PreparedResponse?

  /// Makes an answer.
  public init(status: Int = 200, headers: [Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first field of that name, ignoring case.
  public func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// Sets a field, replacing those of the same name.
  public mutating func setHeader(_ name: String, _ value: String) {
    headers.removeAll { $0.name.lowercased() == name.lowercased() }
    headers.append(Header(name, value))
  }

  /// The body as text; bytes that are not UTF-8 are replaced.
  public var text: String { String(decoding: body, as: UTF8.self) }
}

extension Response {
  /// Plain text.
  public static func text(_ text: String, status: Int = 200) -> Response {
    Response(
      status: status,
      headers: [Header("Content-Type", "text/plain; charset=utf-8")],
      body: Array(text.utf8)
    )
  }

  /// A page.
  ///
  /// Escaping is the caller's.
  public static func html(_ html: String, status: Int = 200) -> Response {
    Response(
      status: status,
      headers: [Header("Content-Type", "text/html; charset=utf-8")],
      body: Array(html.utf8)
    )
  }

  /// JSON text, already encoded.
  public static func json(_ json: String, status: Int = 200) -> Response {
    .json(Array(json.utf8), status: status)
  }

  /// JSON bytes, already encoded.
  public static func json(_ body: [UInt8], status: Int = 200) -> Response {
    Response(
      status: status,
      headers: [Header("Content-Type", "application/json; charset=utf-8")],
      body: body
    )
  }

  /// A redirect to another address; 303 makes the browser follow with a `GET`.
  public static func redirect(to location: String, status: Int = 303) -> Response {
    Response(status: status, headers: [Header("Location", location)])
  }

  /// A file to take along, however large: it is read as it is sent.
  ///
  /// - Parameters:
  ///   - path: where it lies; one that is gone by the time it is sent is answered with 404.
  ///   - contentType: the media type.
  ///   - name: what browsers call it; letters, digits, dots and dashes.
  /// - Returns: the answer.
  public static func download(_ path: String, contentType: String, name: String) -> Response {
    var response = Response(headers: [
      Header("Content-Type", contentType),
      Header("Content-Disposition", "attachment; filename=\"\(name)\""),
      Header("Cache-Control", "no-store"), Header("X-Content-Type-Options", "nosniff"),
    ])
    response.file = path
    return response
  }

  /// An answer without a body.
  public static func empty(_ status: Int = 204) -> Response { Response(status: status) }

  /// A file's bytes, already read.
  ///
  /// - Parameters:
  ///   - body: the bytes.
  ///   - contentType: the media type.
  ///   - cacheSeconds: how long any cache may keep it without asking; 0 (the default) forbids it.
  ///     A year or more is also marked immutable, for addresses that hold a content hash.
  /// - Returns: the answer.
  public static func file(_ body: [UInt8], contentType: String, cacheSeconds: Int = 0) -> Response {
    let cache =
      switch cacheSeconds {
      case ..<1: "no-store"
      case 31_536_000...: "public, max-age=\(cacheSeconds), immutable"
      default: "public, max-age=\(cacheSeconds)"
      }
    return Response(
      headers: [Header("Content-Type", contentType), Header("Cache-Control", cache)],
      body: body
    )
  }
}
