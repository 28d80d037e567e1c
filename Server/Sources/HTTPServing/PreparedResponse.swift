internal import CMicroHTTPD

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

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

  /// Builds a response that reads a file as it is sent, which the caller owns, and says the file's size;
  /// nil when the file cannot be read.
  static func make(file path: String, _ headers: [Header]) -> (OpaquePointer, bytes: Int)? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      // The library closes the file with the response.
      let made = MHD_create_response_from_fd64(UInt64(status.st_size), descriptor)
    else {
      close(descriptor)
      return nil
    }
    add(headers, to: made)
    return (made, Int(status.st_size))
  }

  /// Adds header fields; one with a line break in it is refused by the library and left out.
  static func add(_ headers: [Header], to response: OpaquePointer) {
    for header in headers { _ = MHD_add_response_header(response, header.name, header.value) }
  }
}
