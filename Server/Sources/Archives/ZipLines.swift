internal import CArchive
internal import Foundation

/// Unpacks the files of a ZIP archive, each of lines and perhaps gzip, one after the other into one file.
///
/// An archive is what a stranger may have made: names of files are looked at, never used as paths; links,
/// encryption and archives within are refused; and what comes out is bounded while it comes.
///
/// ```swift
/// if ZipLines.isZip(path) { try ZipLines().unpack(path, to: linesPath) }
/// ```
public struct ZipLines: Sendable {
  /// The most files of one archive.
  public var maxFiles = 100_000
  /// The most bytes that come out of one archive; 256 GiB.
  public var maxBytes: UInt64 = 256 << 30
  /// How many times larger than the archive that may be; lines of events become 10 to 40 times larger.
  public var maxRatio: UInt64 = 200
  /// Bytes that may come out of an archive of any size; 64 MiB.
  public var freeBytes: UInt64 = 64 << 20

  /// The usual bounds.
  public init() {}

  /// Whether a file begins as ZIP archives do; false for one that cannot be read.
  public static func isZip(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    do {
      let start = try file.read(upToCount: 4)
      try file.close()
      // The first file's header, or the end of an archive without files.
      return start == Data([0x50, 0x4b, 3, 4]) || start == Data([0x50, 0x4b, 5, 6])
    } catch {
      return false
    }
  }

  /// Unpacks an archive into a file for its owner alone, which is replaced.
  ///
  /// - Parameters:
  ///   - path: The archive.
  ///   - target: The file of lines; after an error it may hold a part of them.
  ///   - began: Told the name of each file of lines as its first line comes, and how many bytes of lines
  ///     there were before.
  ///   - check: Called again and again meanwhile; what it throws ends the unpacking.
  /// - Returns: How many files of lines there were.
  /// - Throws: `ArchiveProblem`, which names the file within that is wrong.
  @discardableResult
  public func unpack(
    _ path: String,
    to target: String,
    began: (_ name: String, _ offset: UInt64) -> Void = { _, _ in },
    check: () throws -> Void = {}
  ) throws -> Int {
    guard
      FileManager.default.createFile(
        atPath: target,
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      ), let output = FileHandle(forWritingAtPath: target)
    else { throw ArchiveProblem("\(target) cannot be written.") }
    var unpacking = Unpacking(
      limit: min(maxBytes, max(freeBytes, try Self.size(path).multiplied(by: maxRatio))),
      output: output
    )
    let archive = ArchiveReader()
    archive_read_support_format_zip(archive.handle)
    guard archive_read_open_filename(archive.handle, path, 1 << 16) == ARCHIVE_OK else {
      throw ArchiveProblem("\(path) cannot be opened: \(archive.message)")
    }
    var (files, entries) = (0, 0)
    while let entry = try archive.next(named: path) {
      entries += 1
      guard entries <= maxFiles else {
        throw ArchiveProblem("\(path) holds over \(maxFiles) files; unpack it, and import those.")
      }
      guard try isLines(entry, in: path) else { continue }
      began(entry.name, unpacking.written)
      try unpacking.append(entry, of: archive, check: check)
      files += 1
    }
    try output.close()
    guard files > 0 else { throw ArchiveProblem("\(path) holds no file of JSON lines.") }
    return files
  }

  /// Whether an entry holds lines; false for what file managers put beside them.
  private func isLines(_ entry: ArchiveEntry, in path: String) throws -> Bool {
    let parts = entry.name.split(separator: "/", omittingEmptySubsequences: false)
    guard !entry.name.hasPrefix("/"), !entry.name.contains("\\"), !parts.contains("..") else {
      throw ArchiveProblem("\(path) names a file outside of itself, “\(entry.name)”.")
    }
    if entry.isFolder || parts.contains("__MACOSX") { return false }
    guard let name = parts.last, !name.hasPrefix(".") else { return false }
    guard entry.isFile, !entry.isEncrypted else {
      throw ArchiveProblem(
        "“\(entry.name)” in \(path) is \(entry.isEncrypted ? "encrypted" : "a link, no file")."
      )
    }
    let plain = name.hasSuffix(".gz") ? name.dropLast(3) : name
    guard [".json", ".ndjson", ".jsonl"].contains(where: plain.hasSuffix) else {
      throw ArchiveProblem(
        "“\(entry.name)” in \(path) is no file of JSON lines (.json, .ndjson, .jsonl, or those with .gz)."
      )
    }
    return true
  }

  private static func size(_ path: String) throws -> UInt64 {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
    return (size as? NSNumber)?.uint64Value ?? 0
  }
}

/// Why an archive cannot be read.
public struct ArchiveProblem: Error, Sendable, CustomStringConvertible {
  /// A plain sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension UInt64 {
  fileprivate func multiplied(by factor: UInt64) -> UInt64 {
    let product = multipliedReportingOverflow(by: factor)
    return product.overflow ? .max : product.partialValue
  }
}

/// Bytes on their way from an archive's files into one file.
private struct Unpacking {
  let limit: UInt64
  let output: FileHandle
  private(set) var written: UInt64 = 0
  private var last = UInt8(ascii: "\n")
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  init(limit: UInt64, output: FileHandle) {
    self.limit = limit
    self.output = output
  }

  /// Adds the lines of one file, as they were before gzip.
  mutating func append(
    _ entry: ArchiveEntry,
    of archive: ArchiveReader,
    check: () throws -> Void
  ) throws {
    let file = ArchiveReader()
    archive_read_support_filter_gzip(file.handle)
    archive_read_support_format_raw(file.handle)
    archive_read_support_format_empty(file.handle)
    let opened = archive_read_open(
      file.handle,
      Unmanaged.passUnretained(archive).toOpaque(),
      nil,
      { _, outer, bytes in
        guard let outer else { return -1 }
        let archive = Unmanaged<ArchiveReader>.fromOpaque(outer).takeUnretainedValue()
        return archive.block(bytes) ?? -1
      },
      nil
    )
    func damaged() -> ArchiveProblem {
      let messages = [file.message, archive.message].filter { !$0.isEmpty }
      return ArchiveProblem("“\(entry.name)” is damaged: \(messages.joined(separator: "; "))")
    }
    guard opened == ARCHIVE_OK else { throw damaged() }
    var inner: OpaquePointer?
    var header = archive_read_next_header(file.handle, &inner)
    while header == ARCHIVE_OK {
      let count = buffer.withUnsafeMutableBytes {
        archive_read_data(file.handle, $0.baseAddress, $0.count)
      }
      guard count >= 0 else { throw damaged() }
      guard count > 0 else {
        header = ARCHIVE_EOF
        break
      }
      try write(buffer[..<count], of: entry)
      try check()
    }
    // Whether the archive's checksum holds is known at the end of the file only, and told to whoever asks.
    guard header == ARCHIVE_EOF, archive.isWholeToTheEnd() else { throw damaged() }
    // A last line without an end must not become one with the next file's first.
    if last != UInt8(ascii: "\n") { try write([UInt8(ascii: "\n")], of: entry) }
  }

  private mutating func write(_ bytes: ArraySlice<UInt8>, of entry: ArchiveEntry) throws {
    written += UInt64(bytes.count)
    guard written <= limit else {
      throw ArchiveProblem(
        "At “\(entry.name)” more than \(limit) bytes have come out of the archive, which is more than lines of events become; unpack it, look at it, and import the files."
      )
    }
    last = bytes.last ?? last
    try output.write(contentsOf: bytes)
  }
}
