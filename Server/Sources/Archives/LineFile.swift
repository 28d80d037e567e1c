internal import CArchive
internal import Foundation

/// Hands out the lines of a file, gzip or not, one at a time and in bounded memory.
///
/// ```swift
/// let file = try LineFile(path, maxLineBytes: 1 << 20)
/// while let line = try file.next() { … }
/// ```
///
/// One thread at a time.
public final class LineFile {
  /// One line.
  public enum Line {
    /// Its bytes, without the line feed that ends it.
    case bytes([UInt8])
    /// It has more bytes than are handed out; this many.
    case tooLong(bytes: Int)
  }

  /// Bytes of the unpacked file before the next line.
  public private(set) var offset: UInt64 = 0

  private let path: String
  private let maxLineBytes: Int
  private let size: UInt64
  private let reader = ArchiveReader()
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  private var unread = 0..<0
  private var isAtEnd = false

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: the file; whether it is gzip is told by its bytes.
  ///   - maxLineBytes: the longest line that is handed out.
  /// - Throws: `ArchiveProblem` when it cannot be opened.
  public init(_ path: String, maxLineBytes: Int) throws(ArchiveProblem) {
    self.path = path
    self.maxLineBytes = maxLineBytes
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw ArchiveProblem("\(path) cannot be opened: \(String(cString: strerror(errno))).")
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw ArchiveProblem("\(path) is a folder; name a file in it.")
    // It might never end, or never begin.
    default: throw ArchiveProblem("\(path) is no regular file.")
    }
    size = UInt64(max(0, status.st_size))
    archive_read_support_filter_gzip(reader.handle)
    archive_read_support_format_raw(reader.handle)
    archive_read_support_format_empty(reader.handle)
    guard archive_read_open_filename(reader.handle, path, 1 << 16) == ARCHIVE_OK else {
      throw ArchiveProblem("\(path) cannot be opened: \(reader.message)")
    }
    var entry: OpaquePointer?
    switch archive_read_next_header(reader.handle, &entry) {
    case ARCHIVE_OK: break
    case ARCHIVE_EOF: isAtEnd = true
    default: throw damaged
    }
  }

  /// The part of the file that was read, from 0 to 1.
  public var fraction: Double {
    size == 0 ? 1 : min(1, Double(max(0, archive_filter_bytes(reader.handle, -1))) / Double(size))
  }

  /// The next line; nil after the last, which need not end with a line feed.
  ///
  /// - Throws: `ArchiveProblem` when the file is damaged; what was handed out before is right.
  public func next() throws(ArchiveProblem) -> Line? {
    var line: [UInt8] = []
    var length = 0
    var isStarted = false
    while true {
      if unread.isEmpty, try !fill() {
        return isStarted ? finish(line, length, endBytes: 0) : nil
      }
      isStarted = true
      let end = Self.lineFeed(buffer, unread)
      let piece = unread.lowerBound..<(end ?? unread.upperBound)
      length += piece.count
      if length <= maxLineBytes { line += buffer[piece] }
      unread = (end.map { $0 + 1 } ?? unread.upperBound)..<unread.upperBound
      if end != nil { return finish(line, length, endBytes: 1) }
    }
  }

  private func finish(_ line: [UInt8], _ length: Int, endBytes: Int) -> Line {
    offset += UInt64(length + endBytes)
    return length <= maxLineBytes ? .bytes(line) : .tooLong(bytes: length)
  }

  private func fill() throws(ArchiveProblem) -> Bool {
    guard !isAtEnd else { return false }
    let count = buffer.withUnsafeMutableBytes {
      archive_read_data(reader.handle, $0.baseAddress, $0.count)
    }
    guard count >= 0 else { throw damaged }
    isAtEnd = count == 0
    unread = 0..<count
    return count > 0
  }

  private var damaged: ArchiveProblem {
    ArchiveProblem("\(path) is damaged: \(reader.message). Fetch or export it again.")
  }

  private static func lineFeed(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, !range.isEmpty,
        let found = memchr(start + range.lowerBound, 0x0a, range.count)
      else { return nil }
      return UnsafeRawPointer(found) - start
    }
  }
}
