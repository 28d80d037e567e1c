#if os(Linux)
/// What keeps a folder's content where it belongs.
enum FolderProtection {
  /// Does nothing: Linux has no backup to be excluded from, and files are readable as soon as they
  /// are there.
  static func apply(to folder: String, log: Logger) {}
}
#endif
