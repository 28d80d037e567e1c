#if os(Linux)
import Foundation
#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// One request on its way through libcurl: its handle, what has been received, and who waits.
///
/// Safety: everything but `mail` belongs to the worker's thread from `begin` until `finish`.
/// `mail` is read and written inside the worker's lock only.
final class CurlTransfer: @unchecked Sendable {
  /// Where the transfer stands between the caller and the worker.
  struct Mail {
    var isSubmitted = false
    var isCancelled = false
  }

  let request: UploadRequest
  var mail = Mail()

  private var waiting: CheckedContinuation<UploadResponse, Never>?
  private var answer = HTTPAnswer()
  private var easy: CurlLibrary.Handle?
  private var headerList: CurlLibrary.Handle?
  private let errorText = UnsafeMutableBufferPointer<CChar>.allocate(capacity: Curl.errorBytes)

  init(_ request: UploadRequest) {
    self.request = request
    errorText.initialize(repeating: 0)
  }

  deinit { errorText.deallocate() }

  /// Keeps the caller's continuation; called once, before the worker sees the transfer.
  func expect(_ continuation: CheckedContinuation<UploadResponse, Never>) {
    waiting = continuation
  }

  /// Answers the caller; only the first answer counts.
  func finish(_ response: UploadResponse) {
    waiting?.resume(returning: response)
    waiting = nil
  }

  /// Makes the handle with every option set, or nil and an answer to the caller if that fails.
  func begin(_ library: CurlLibrary) -> CurlLibrary.Handle? {
    guard let easy = library.easyInit() else {
      finish(.failed(.other("libcurl gave no handle")))
      return nil
    }
    self.easy = easy
    let code = setOptions(easy, library)
    guard code == Curl.ok else {
      finish(.failed(.other("libcurl refused an option: \(library.text(of: code))")))
      release(library)
      return nil
    }
    return easy
  }

  /// Frees the handle; it must have left the multi handle.
  func release(_ library: CurlLibrary) {
    if let easy { library.easyCleanup(easy) }
    library.listFree(headerList)
    easy = nil
    headerList = nil
  }

  /// The answer or failure that a result code of libcurl stands for.
  func response(for code: Int32, _ library: CurlLibrary) -> UploadResponse {
    // A body cut at the limit ends with a write error of our own making.
    if code == Curl.ok || (code == Curl.writeError && answer.isCut) {
      var status = 0
      if let easy { _ = library.easyGetNumber(easy, Curl.infoResponseCode, &status) }
      return .answered(status: status, headers: answer.headers, body: answer.body)
    }
    let detail = errorText.first == 0 ? library.text(of: code) : text(errorText)
    switch code {
    case Curl.timedOut: return .failed(.timedOut)
    case Curl.unreachable: return .failed(.offline(detail))
    case _ where Curl.tlsResults.contains(code): return .failed(.tls(detail))
    default: return .failed(.other(detail))
    }
  }

  private func text(_ buffer: UnsafeMutableBufferPointer<CChar>) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Options

  private func setOptions(_ easy: CurlLibrary.Handle, _ library: CurlLibrary) -> Int32 {
    // Older versions lack these two; the longer-known options below say the same or do without.
    _ = set(easy, Curl.optionProtocolsText, "http,https", library)
    _ = library.easySetNumber(easy, Curl.optionQuickExit, 1)
    let numbers: [(Int32, Int)] = [
      (Curl.optionProtocols, Curl.protocolsHTTP),
      (Curl.optionNoSignal, 1),
      (Curl.optionFollowLocation, 0),
      (Curl.optionVerifyPeer, 1),
      (Curl.optionVerifyHost, 2),
      (Curl.optionConnectTimeoutMs, Self.milliseconds(TransportLimits.connectSeconds)),
      (Curl.optionTimeoutMs, Self.milliseconds(request.timeoutSeconds)),
    ]
    for (option, number) in numbers {
      let code = library.easySetNumber(easy, option, number)
      guard code == Curl.ok else { return code }
    }
    var code = setMethod(easy, library)
    guard code == Curl.ok else { return code }
    code = set(easy, Curl.optionURL, request.url, library)
    guard code == Curl.ok else { return code }
    code = set(easy, Curl.optionNoProxy, Self.noProxy, library)
    guard code == Curl.ok else { return code }
    code = setHeaders(easy, library)
    guard code == Curl.ok else { return code }
    return setReceivers(easy, library)
  }

  private func setMethod(_ easy: CurlLibrary.Handle, _ library: CurlLibrary) -> Int32 {
    guard request.method != .get else {
      return library.easySetNumber(easy, Curl.optionHTTPGet, 1)
    }
    var code = library.easySetNumber(easy, Curl.optionPost, 1)
    guard code == Curl.ok else { return code }
    if request.method != .post {
      // A body in memory under another name, which libcurl's own PUT does not have.
      code = set(easy, Curl.optionCustomRequest, request.method.rawValue, library)
      guard code == Curl.ok else { return code }
    }
    // The size comes before the copy, which would otherwise look for a terminating zero.
    code = library.easySetNumber(easy, Curl.optionPostFieldSize, request.body.count)
    guard code == Curl.ok else { return code }
    let body = request.body.isEmpty ? [0] : request.body
    return body.withUnsafeBytes {
      library.easySetPointer(easy, Curl.optionCopyPostFields, $0.baseAddress)
    }
  }

  private func set(
    _ easy: CurlLibrary.Handle,
    _ option: Int32,
    _ text: String,
    _ library: CurlLibrary
  ) -> Int32 {
    text.withCString { library.easySetPointer(easy, option, $0) }
  }

  private func setHeaders(_ easy: CurlLibrary.Handle, _ library: CurlLibrary) -> Int32 {
    // libcurl would ask "Expect: 100-continue" before large bodies, and wait a second for servers
    // that do not know it.
    headerList = library.listAppend(nil, "Expect:")
    for (name, value) in request.headers {
      // A line break in a value would begin another header field.
      let line = "\(name): \(value)".filter { $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
      headerList = library.listAppend(headerList, line) ?? headerList
    }
    return library.easySetPointer(
      easy,
      Curl.optionHTTPHeader,
      headerList.map { UnsafeRawPointer($0) }
    )
  }

  private func setReceivers(_ easy: CurlLibrary.Handle, _ library: CurlLibrary) -> Int32 {
    // Safety: the worker holds the transfer for as long as the handle lives.
    let me = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    let pointers: [(Int32, UnsafeRawPointer?)] = [
      (Curl.optionErrorBuffer, UnsafeRawPointer(errorText.baseAddress)),
      (Curl.optionWriteData, me),
      (Curl.optionHeaderData, me),
    ]
    for (option, pointer) in pointers {
      let code = library.easySetPointer(easy, option, pointer)
      guard code == Curl.ok else { return code }
    }
    // Programs that the app starts must not hold a connection open that is closed here.
    var code = library.easySetSocketFunction(easy, Curl.optionSocketFunction) { _, socket, _ in
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      return 0
    }
    guard code == Curl.ok else { return code }
    code = library.easySetFunction(easy, Curl.optionHeaderFunction) { bytes, size, count, me in
      guard let (transfer, line) = CurlTransfer.received(bytes, size * count, me) else { return 0 }
      transfer.answer.receive(headerLine: line)
      return line.count
    }
    guard code == Curl.ok else { return code }
    return library.easySetFunction(easy, Curl.optionWriteFunction) { bytes, size, count, me in
      guard let (transfer, part) = CurlTransfer.received(bytes, size * count, me) else { return 0 }
      // Any other number than the one offered makes libcurl stop with a write error.
      return transfer.answer.receive(body: part) ? part.count : 0
    }
  }

  private static func received(
    _ bytes: UnsafeMutableRawPointer?,
    _ count: Int,
    _ me: UnsafeMutableRawPointer?
  ) -> (CurlTransfer, UnsafeRawBufferPointer)? {
    guard let me else { return nil }
    let transfer = Unmanaged<CurlTransfer>.fromOpaque(me).takeUnretainedValue()
    return (transfer, UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
  }

  private static func milliseconds(_ seconds: TimeInterval) -> Int {
    // Zero would mean "no limit" to libcurl.
    seconds.isFinite ? Int(min(max(seconds, 0.001), 86_400) * 1_000) : 86_400_000
  }

  /// `no_proxy` of the environment, which setting the option replaces, and this machine itself.
  private static let noProxy: String = {
    let environment = ProcessInfo.processInfo.environment
    let listed = environment["no_proxy"] ?? environment["NO_PROXY"]
    if listed == "*" { return "*" }
    return [listed, "localhost,127.0.0.1,::1"].compactMap(\.self).joined(separator: ",")
  }()
}
#endif
