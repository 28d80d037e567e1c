import FootfallCore
import FootfallJournal
import FootfallSystem

/// The last good answer of the server, kept from run to run in one small file.
///
/// The answer is kept as it came and read anew, so that there is one reader. A damaged file, or one
/// this version cannot read, counts as none.
struct RemoteConfigurationCache {
  /// The file's name in the client's folder.
  static let fileName = "remote.config"
  /// The first line; a checksum, the answer's tag and the answer follow, each on its own.
  private static let mark = "footfall-remote-config 1"

  let folder: String
  let files: any FileSystem

  private var path: String { folder + "/" + Self.fileName }

  /// What an earlier run kept; nil if there is nothing that can be read.
  func load(member: String) throws(SystemError) -> RemoteDocument? {
    guard files.exists(path) else { return nil }
    let lines = try files.readAll(path).split(
      separator: UInt8(ascii: "\n"),
      maxSplits: 3,
      omittingEmptySubsequences: false
    )
    guard lines.count == 4, lines[0].elementsEqual(Self.mark.utf8),
      lines[1].elementsEqual(Self.checksum(lines[2], lines[3]).utf8)
    else { return nil }
    let tag = String(decoding: lines[2], as: UTF8.self)
    do throws(RemoteDocumentError) {
      return try RemoteDocument(
        body: Array(lines[3]),
        member: member,
        entityTag: tag.isEmpty ? nil : tag
      )
    } catch {
      return nil
    }
  }

  /// Replaces what is kept in one step that survives a power cut.
  func save(body: [UInt8], entityTag: String?) throws(SystemError) {
    // A header field's value has no line feed.
    let tag = Array((entityTag ?? "").utf8)
    let checksum = Self.checksum(tag[...], body[...])
    let bytes = Array("\(Self.mark)\n\(checksum)\n".utf8) + tag + [UInt8(ascii: "\n")] + body
    try files.replace(path, with: bytes)
  }

  /// Deletes what is kept, and what a save that was cut short left.
  func remove() throws(SystemError) {
    var isChanged = false
    for path in [path, path + ".new"] where files.exists(path) {
      try files.remove(path)
      isChanged = true
    }
    if isChanged { try files.syncFolder(folder) }
  }

  private static func checksum(_ tag: ArraySlice<UInt8>, _ body: ArraySlice<UInt8>) -> String {
    var checksum = CRC32C()
    tag.withUnsafeBytes { checksum.update($0) }
    body.withUnsafeBytes { checksum.update($0) }
    return String(checksum.value, radix: 16)
  }
}
