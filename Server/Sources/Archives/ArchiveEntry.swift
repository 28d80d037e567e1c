internal import CArchive

/// One file of an archive.
struct ArchiveEntry {
  let name: String
  let isFile: Bool
  let isFolder: Bool
  let isEncrypted: Bool

  init(_ entry: OpaquePointer?) {
    name =
      archive_entry_pathname_utf8(entry).map { String(cString: $0) }
      ?? archive_entry_pathname(entry).map { String(cString: $0) } ?? ""
    let type = UInt32(archive_entry_filetype(entry))
    isFile = type == footfall_archive_file && archive_entry_hardlink(entry) == nil
    isFolder = type == footfall_archive_folder
    isEncrypted = archive_entry_is_encrypted(entry) != 0
  }
}
