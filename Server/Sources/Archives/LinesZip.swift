internal import CArchive
internal import Foundation

/// Writes a ZIP archive whose files are lines, each compressed by gzip, as Amplitude's exports are.
///
/// ```swift
/// let zip = try LinesZip(path)
/// try zip.begin("1/1_2026-12-01_9#0.json.gz")
/// try zip.append("{}")
/// try zip.close()
/// ```
///
/// One thread at a time. The file that is under way lies beside the archive until it is whole.
public final class LinesZip {
  /// Bytes of the archive so far, of files that are whole.
  public private(set) var bytes: UInt64 = 0

  private let path: String
  private let zip: ArchiveWriter
  private var file: ArchiveWriter?
  private var name = ""
  private var buffer: [UInt8] = []
  private static let bufferBytes = 1 << 16

  private var part: String { path + ".part" }

  /// Begins an archive for its owner alone, which is replaced.
  ///
  /// - Throws: `ArchiveProblem` when it cannot be written.
  public init(_ path: String) throws(ArchiveProblem) {
    self.path = path
    zip = try ArchiveWriter(path) { archive_write_set_format_zip($0) }
  }

  /// Ends the file before, and begins another.
  ///
  /// - Parameter name: as the archive lists it.
  /// - Throws: `ArchiveProblem` when the disk is full.
  public func begin(_ name: String) throws {
    try finish()
    self.name = name
    let file = try ArchiveWriter(part) {
      archive_write_set_format_raw($0)
      archive_write_add_filter_gzip($0)
    }
    try file.header(name, size: nil)
    self.file = file
  }

  /// Adds a line to the file that was begun last.
  ///
  /// - Throws: `ArchiveProblem` when the disk is full.
  public func append(_ line: String) throws {
    buffer += line.utf8
    buffer.append(UInt8(ascii: "\n"))
    if buffer.count >= Self.bufferBytes { try flush() }
  }

  /// Ends the archive.
  ///
  /// - Throws: `ArchiveProblem` when the disk is full.
  public func close() throws {
    try finish()
    try zip.close()
  }

  /// Gives up: what there is of the archive is gone.
  public func remove() {
    for path in [path, part] where FileManager.default.fileExists(atPath: path) {
      do { try FileManager.default.removeItem(atPath: path) } catch {
        // It lies in a folder that is tidied.
      }
    }
  }

  private func flush() throws {
    try file?.write(buffer)
    buffer.removeAll(keepingCapacity: true)
  }

  private func finish() throws {
    guard let file else { return }
    try flush()
    try file.close()
    self.file = nil
    let source = try FileHandle(forReadingFrom: URL(fileURLWithPath: part))
    let size = try source.seekToEnd()
    try source.seek(toOffset: 0)
    try zip.header(name, size: size)
    while let piece = try source.read(upToCount: Self.bufferBytes), !piece.isEmpty {
      try zip.write([UInt8](piece))
    }
    try source.close()
    try FileManager.default.removeItem(atPath: part)
    bytes += size
  }
}

/// One archive that is written.
private final class ArchiveWriter {
  private let handle: OpaquePointer?
  private let path: String

  init(_ path: String, _ prepare: (OpaquePointer?) -> Void) throws(ArchiveProblem) {
    self.path = path
    handle = archive_write_new()
    prepare(handle)
    guard
      FileManager.default.createFile(
        atPath: path,
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      ), archive_write_open_filename(handle, path) == ARCHIVE_OK
    else { throw problem }
  }

  deinit { archive_write_free(handle) }

  func header(_ name: String, size: UInt64?) throws(ArchiveProblem) {
    let entry = archive_entry_new()
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_filetype(entry, footfall_archive_file)
    archive_entry_set_perm(entry, 0o644)
    if let size { archive_entry_set_size(entry, la_int64_t(size)) }
    guard archive_write_header(handle, entry) == ARCHIVE_OK else { throw problem }
  }

  func write(_ bytes: [UInt8]) throws(ArchiveProblem) {
    guard !bytes.isEmpty else { return }
    guard archive_write_data(handle, bytes, bytes.count) == bytes.count else { throw problem }
  }

  func close() throws(ArchiveProblem) {
    guard archive_write_close(handle) == ARCHIVE_OK else { throw problem }
  }

  private var problem: ArchiveProblem {
    let message = archive_error_string(handle).map { String(cString: $0) } ?? "no reason was given"
    return ArchiveProblem("\(path) cannot be written: \(message).")
  }
}
