import Foundation

/// The names of files that events go into and come from.
enum TransferPath {
  /// Where a new file of that name is written: behind a link, the file that it names.
  ///
  /// - Throws: `UsageError` for what is there and is no file: a folder, a device, a pipe.
  static func target(_ path: String) throws(UsageError) -> String {
    guard path != "-" else {
      throw UsageError(
        "footfall export writes a file; name one. 'footfall events' prints events."
      )
    }
    switch kind(path) {
    case nil, S_IFREG?: return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    case S_IFDIR?: throw UsageError("\(path) is a folder; name a file in it.")
    default: throw UsageError("\(path) is no regular file, so it was left as it is; name a file.")
    }
  }

  /// Checks that a file's events can be read.
  ///
  /// - Throws: `UsageError` for a folder, and for what may not be read or is not there.
  static func checkSource(_ path: String) throws(UsageError) {
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw UsageError("The file \(path) cannot be read.")
    }
    if kind(path) == S_IFDIR {
      throw UsageError("\(path) is a folder; name the files in it.")
    }
  }

  /// Where the lines of a file are listed that are no events: beside it or, where nothing may be written
  /// there, in the working folder.
  static func rejected(of path: String) -> String {
    let url = URL(fileURLWithPath: path)
    let isWritable = FileManager.default.isWritableFile(
      atPath: url.deletingLastPathComponent().path
    )
    return (isWritable ? path : url.lastPathComponent) + ".rejected"
  }

  /// The kind of what is at a path, behind any link; nil when nothing is.
  private static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
