internal import CMicroHTTPD

/// An answer whose sent form is made once and shared by any number of requests.
///
/// For the answers of hot paths and for large fixed files: sending it allocates and copies nothing.
/// It carries no `X-Request-Id`. Any thread.
public final class PreparedResponse: Sendable {
  /// The answer; sent in its prepared form unless it is changed.
  public var response: Response {
    var response = plain
    response.prepared = self
    return response
  }

  private let plain: Response
  /// Safety: made in `init`, given back in `deinit`; the library counts its users under a lock of
  /// its own.
  nonisolated(unsafe) let handle: OpaquePointer?

  /// Makes the sent form.
  public init(_ response: Response) {
    plain = response
    handle = MHDResponse.make(response)
  }

  deinit {
    if let handle { MHD_destroy_response(handle) }
  }
}

/// Answers in the library's form.
enum MHDResponse {
  /// Builds a response the caller owns; nil when memory is short.
  static func make(_ response: Response) -> OpaquePointer? {
    let made = response.body.withUnsafeBytes { footfall_mhd_response($0.baseAddress, $0.count) }
    guard let made else { return nil }
    add(response.headers, to: made)
    return made
  }

  /// Adds header fields; one with a line break in it is refused by the library and left out.
  static func add(_ headers: [Header], to response: OpaquePointer) {
    for header in headers { _ = MHD_add_response_header(response, header.name, header.value) }
  }
}
