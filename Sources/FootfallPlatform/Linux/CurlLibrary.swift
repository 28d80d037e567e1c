#if os(Linux)

/// The functions used of `libcurl.so.4`, bound when first needed and never unloaded.
///
/// Safety: `curl_easy_setopt`, `curl_multi_setopt` and `curl_easy_getinfo` are variadic in C and
/// called here through pointers with three fixed parameters. On Linux both the x86-64 and the
/// 64-bit Arm calling conventions pass an integer or pointer in the same register either way, and a
/// variadic function of x86-64 reads the vector count in `al` only to decide whether to spill
/// registers nobody uses. Apple's Arm convention puts variadic arguments on the stack: this file
/// must stay Linux only.
struct CurlLibrary: Sendable {
  typealias Handle = OpaquePointer
  typealias DataFunction =
    @convention(c) (
      UnsafeMutableRawPointer?, Int, Int, UnsafeMutableRawPointer?
    ) -> Int

  typealias SocketFunction =
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, Int32
    ) -> Int32

  let globalInit: @convention(c) (Int) -> Int32
  let easyInit: @convention(c) () -> Handle?
  let easyCleanup: @convention(c) (Handle) -> Void
  let easySetNumber: @convention(c) (Handle, Int32, Int) -> Int32
  let easySetPointer: @convention(c) (Handle, Int32, UnsafeRawPointer?) -> Int32
  let easySetFunction: @convention(c) (Handle, Int32, DataFunction) -> Int32
  let easySetSocketFunction: @convention(c) (Handle, Int32, SocketFunction) -> Int32
  let easyGetNumber: @convention(c) (Handle, Int32, UnsafeMutablePointer<Int>) -> Int32
  let easyErrorText: @convention(c) (Int32) -> UnsafePointer<CChar>?
  let listAppend: @convention(c) (Handle?, UnsafePointer<CChar>) -> Handle?
  let listFree: @convention(c) (Handle?) -> Void
  let multiInit: @convention(c) () -> Handle?
  let multiCleanup: @convention(c) (Handle) -> Int32
  let multiAdd: @convention(c) (Handle, Handle) -> Int32
  let multiRemove: @convention(c) (Handle, Handle) -> Int32
  let multiPerform: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> Int32
  let multiPoll:
    @convention(c) (
      Handle, UnsafeRawPointer?, UInt32, Int32, UnsafeMutablePointer<Int32>
    ) -> Int32
  let multiWakeup: @convention(c) (Handle) -> Int32
  let multiNextMessage: @convention(c) (Handle, UnsafeMutablePointer<Int32>) -> UnsafeRawPointer?

  /// The library, or why it cannot be used.
  ///
  /// `curl_multi_poll` and `curl_multi_wakeup` need 7.68 (2020).
  static let shared = Result { () throws(MissingLibrary) in
    try CurlLibrary(named: "libcurl.so.4")
  }

  init(named name: String) throws(MissingLibrary) {
    let library = try DynamicLibrary(named: name)
    globalInit = try library.function("curl_global_init")
    easyInit = try library.function("curl_easy_init")
    easyCleanup = try library.function("curl_easy_cleanup")
    easySetNumber = try library.function("curl_easy_setopt")
    easySetPointer = try library.function("curl_easy_setopt")
    easySetFunction = try library.function("curl_easy_setopt")
    easySetSocketFunction = try library.function("curl_easy_setopt")
    easyGetNumber = try library.function("curl_easy_getinfo")
    easyErrorText = try library.function("curl_easy_strerror")
    listAppend = try library.function("curl_slist_append")
    listFree = try library.function("curl_slist_free_all")
    multiInit = try library.function("curl_multi_init")
    multiCleanup = try library.function("curl_multi_cleanup")
    multiAdd = try library.function("curl_multi_add_handle")
    multiRemove = try library.function("curl_multi_remove_handle")
    multiPerform = try library.function("curl_multi_perform")
    multiPoll = try library.function("curl_multi_poll")
    multiWakeup = try library.function("curl_multi_wakeup")
    multiNextMessage = try library.function("curl_multi_info_read")
    guard globalInit(Curl.globalDefault) == Curl.ok else {
      throw MissingLibrary(reason: "\(name) could not be initialised")
    }
  }

  /// The next message about a finished transfer, if there is one.
  func message(from multi: Handle) -> CurlMessage? {
    var left: Int32 = 0
    // Safety: libcurl gives a `CURLMsg` that lives until the multi handle is used again.
    return multiNextMessage(multi, &left)?.load(as: CurlMessage.self)
  }

  /// The library's sentence for a result code.
  func text(of code: Int32) -> String {
    easyErrorText(code).map { String(cString: $0) } ?? "libcurl error \(code)"
  }
}

/// `CURLMsg` as in multi.h; the last member is a union of a pointer and a result code.
struct CurlMessage {
  let kind: Int32
  let easy: OpaquePointer?
  let data: UInt

  /// The result of the transfer, the union's lower half on the little-endian machines Swift runs on.
  var result: Int32 { Int32(truncatingIfNeeded: data) }
}

/// The values of curl.h and multi.h that are used.
///
/// Source: curl.h of libcurl 7.88; they are part of its stable interface. An option's number is its
/// own plus 10,000 for pointers, 20,000 for functions and 30,000 for `curl_off_t`.
enum Curl {
  static let ok: Int32 = 0
  /// `CURL_GLOBAL_DEFAULT`: TLS and, elsewhere, sockets.
  static let globalDefault = 3

  static let optionWriteData: Int32 = 10_001
  static let optionURL: Int32 = 10_002
  static let optionErrorBuffer: Int32 = 10_010
  static let optionWriteFunction: Int32 = 20_011
  static let optionHTTPHeader: Int32 = 10_023
  static let optionHeaderData: Int32 = 10_029
  static let optionCustomRequest: Int32 = 10_036
  static let optionPost: Int32 = 47
  static let optionFollowLocation: Int32 = 52
  static let optionVerifyPeer: Int32 = 64
  static let optionHeaderFunction: Int32 = 20_079
  static let optionHTTPGet: Int32 = 80
  static let optionVerifyHost: Int32 = 81
  static let optionNoSignal: Int32 = 99
  static let optionSocketFunction: Int32 = 20_148
  static let optionPostFieldSize: Int32 = 30_120
  static let optionTimeoutMs: Int32 = 155
  static let optionConnectTimeoutMs: Int32 = 156
  static let optionCopyPostFields: Int32 = 10_165
  static let optionNoProxy: Int32 = 10_177
  static let optionProtocols: Int32 = 181
  /// Since 7.85; older versions know `optionProtocols` alone.
  static let optionProtocolsText: Int32 = 10_318
  /// Since 7.87: do not wait for a name lookup when a transfer is given up.
  static let optionQuickExit: Int32 = 322

  /// `CURLPROTO_HTTP | CURLPROTO_HTTPS`.
  static let protocolsHTTP = 3
  /// `CURL_ERROR_SIZE`.
  static let errorBytes = 256
  /// `CURLINFO_RESPONSE_CODE`.
  static let infoResponseCode: Int32 = 0x200000 + 2
  /// `CURLMSG_DONE`.
  static let messageDone: Int32 = 1

  static let writeError: Int32 = 23
  static let timedOut: Int32 = 28
  /// No proxy, no host, no connection.
  static let unreachable: ClosedRange<Int32> = 5...7
  /// Results that mean the secure connection failed; 60 is an untrusted certificate.
  static let tlsResults: Set<Int32> = [35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98]
}
#endif
