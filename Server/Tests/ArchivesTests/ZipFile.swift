import CArchive
import Testing

/// A ZIP archive with files as its maker wants them, also such as no honest maker has.
struct ZipFile {
  /// What an entry is.
  enum Kind {
    case file, folder, link
  }

  private let handle: OpaquePointer?

  /// Writes an archive; the files are added in `body`.
  static func write(
    _ path: String,
    passphrase: String? = nil,
    _ body: (ZipFile) throws -> Void
  ) throws {
    let handle = try #require(archive_write_new())
    defer { archive_write_free(handle) }
    archive_write_set_format_zip(handle)
    if let passphrase {
      #expect(archive_write_set_options(handle, "zip:encryption=traditional") == ARCHIVE_OK)
      archive_write_set_passphrase(handle, passphrase)
    }
    try #require(archive_write_open_filename(handle, path) == ARCHIVE_OK)
    try body(ZipFile(handle: handle))
    #expect(archive_write_close(handle) == ARCHIVE_OK)
  }

  func add(_ name: String, _ kind: Kind = .file, _ bytes: [UInt8] = []) throws {
    let entry = try #require(archive_entry_new())
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_perm(entry, 0o644)
    switch kind {
    case .file: archive_entry_set_filetype(entry, footfall_archive_file)
    case .folder: archive_entry_set_filetype(entry, footfall_archive_folder)
    case .link:
      archive_entry_set_filetype(entry, 0o120000)
      archive_entry_set_symlink(entry, "/etc/passwd")
    }
    archive_entry_set_size(entry, la_int64_t(bytes.count))
    try #require(archive_write_header(handle, entry) == ARCHIVE_OK)
    if !bytes.isEmpty {
      #expect(archive_write_data(handle, bytes, bytes.count) == bytes.count)
    }
  }

  /// Bytes as `gzip` makes them, as many times over as asked for.
  static func gzip(_ bytes: [UInt8], times: Int = 1) throws -> [UInt8] {
    var output = [UInt8](repeating: 0, count: bytes.count + 4_096)
    var used = 0
    let handle = try #require(archive_write_new())
    defer { archive_write_free(handle) }
    archive_write_set_format_raw(handle)
    archive_write_add_filter_gzip(handle)
    try output.withUnsafeMutableBytes { buffer in
      try #require(
        archive_write_open_memory(handle, buffer.baseAddress, buffer.count, &used) == ARCHIVE_OK
      )
      let entry = try #require(archive_entry_new())
      defer { archive_entry_free(entry) }
      archive_entry_set_filetype(entry, footfall_archive_file)
      try #require(archive_write_header(handle, entry) == ARCHIVE_OK)
      #expect(archive_write_data(handle, bytes, bytes.count) == bytes.count)
      #expect(archive_write_close(handle) == ARCHIVE_OK)
    }
    let made = Array(output[..<used])
    return times > 1 ? try gzip(made, times: times - 1) : made
  }
}
