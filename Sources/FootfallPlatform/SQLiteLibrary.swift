/// The functions used of SQLite, as its header `sqlite3.h` declares them.
///
/// Pointers to its structures are opaque to us.
struct SQLiteLibrary: Sendable {
  typealias Connection = OpaquePointer
  typealias Statement = OpaquePointer

  let open:
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<Connection?>?, Int32, UnsafePointer<CChar>?
    ) -> Int32
  let close: @convention(c) (Connection?) -> Int32
  let waitWhenBusy: @convention(c) (Connection?, Int32) -> Int32
  let message: @convention(c) (Connection?) -> UnsafePointer<CChar>?
  let prepare:
    @convention(c) (
      Connection?, UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<Statement?>?,
      UnsafeMutablePointer<UnsafePointer<CChar>?>?
    ) -> Int32
  let bindInteger: @convention(c) (Statement?, Int32, Int64) -> Int32
  let step: @convention(c) (Statement?) -> Int32
  let finalize: @convention(c) (Statement?) -> Int32
  let columnCount: @convention(c) (Statement?) -> Int32
  let columnType: @convention(c) (Statement?, Int32) -> Int32
  let columnInteger: @convention(c) (Statement?, Int32) -> Int64
  let columnText: @convention(c) (Statement?, Int32) -> UnsafePointer<UInt8>?
  let columnBytes: @convention(c) (Statement?, Int32) -> Int32

  init(named name: String) throws(MissingLibrary) {
    let library = try DynamicLibrary(named: name)
    open = try library.function("sqlite3_open_v2")
    close = try library.function("sqlite3_close_v2")
    waitWhenBusy = try library.function("sqlite3_busy_timeout")
    message = try library.function("sqlite3_errmsg")
    prepare = try library.function("sqlite3_prepare_v2")
    bindInteger = try library.function("sqlite3_bind_int64")
    step = try library.function("sqlite3_step")
    finalize = try library.function("sqlite3_finalize")
    columnCount = try library.function("sqlite3_column_count")
    columnType = try library.function("sqlite3_column_type")
    columnInteger = try library.function("sqlite3_column_int64")
    columnText = try library.function("sqlite3_column_text")
    columnBytes = try library.function("sqlite3_column_bytes")
  }

  /// Numbers of the header that are used.
  enum Code {
    static let ok: Int32 = 0
    static let row: Int32 = 100
    static let done: Int32 = 101
    static let openReadWrite: Int32 = 2
    static let openCreate: Int32 = 4
    static let integer: Int32 = 1
    static let null: Int32 = 5
  }
}
