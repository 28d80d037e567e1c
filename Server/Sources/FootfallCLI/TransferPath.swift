import Foundation
import ServerApp

/// The names of files that events go into and come from.
enum TransferPath {
  /// Where a new file of that name is written: behind a link, the file that it names.
  ///
  /// - Parameters:
  ///   - path: the file as it was named.
  ///   - data: the data folder, whose files are nobody else's to write.
  /// - Returns: the file's path, without links.
  /// - Throws: `UsageError` for what is there and is no file: a folder, a device, a pipe; and within the data
  ///   folder.
  static func target(_ path: String, outside data: DataFolder) throws(UsageError) -> String {
    guard path != "-" else {
      throw UsageError(
        "footfall export writes a file; name one. 'footfall events' prints events."
      )
    }
    switch kind(path) {
    case nil, S_IFREG?:
      let target = real(path)
      let folder = real(data.path)
      guard target != folder, !target.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
      else {
        throw UsageError(
          "\(path) lies in the data folder \(data.path), whose files are the server's; name a file elsewhere."
        )
      }
      try checkFolder(of: target, path)
      return target
    case S_IFDIR?: throw UsageError("\(path) is a folder; name a file in it.")
    default: throw UsageError("\(path) is no regular file, so it was left as it is; name a file.")
    }
  }

  /// Checks that a file can be made in its folder.
  private static func checkFolder(of target: String, _ path: String) throws(UsageError) {
    let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
    switch kind(folder) {
    case S_IFDIR?:
      guard FileManager.default.isWritableFile(atPath: folder) else {
        throw UsageError(
          "\(path) cannot be written: this user may not write in \(folder). Name a file elsewhere."
        )
      }
    case nil:
      throw UsageError(
        "\(path) cannot be written: the folder \(folder) is not there. Make it, or name a file elsewhere."
      )
    default:
      throw UsageError(
        "\(path) cannot be written: \(folder) is no folder. Name a file elsewhere."
      )
    }
  }

  /// Copies a file that a job made, in place of one that is there.
  ///
  /// - Throws: `FileProblem`; the job's file stays.
  static func copy(_ source: String, to target: String) throws {
    do {
      if FileManager.default.fileExists(atPath: target) {
        try FileManager.default.removeItem(atPath: target)
      }
      try FileManager.default.copyItem(atPath: source, toPath: target)
    } catch {
      throw FileProblem(
        "\(target) could not be written: \(FileProblem.reason(error)). It is no whole file; all events are in "
          + "\(source) for a day."
      )
    }
  }

  /// Checks that a file's events can be read.
  ///
  /// - Returns: the file's path without links, by which another process finds it.
  /// - Throws: `UsageError` for a folder, a device or a pipe, and for what may not be read or is not there.
  @discardableResult
  static func checkSource(_ path: String) throws(UsageError) -> String {
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw UsageError("The file \(path) cannot be read.")
    }
    switch kind(path) {
    case S_IFREG?: return real(path)
    case S_IFDIR?: throw UsageError("\(path) is a folder; name the files in it.")
    default: throw UsageError("\(path) is no regular file; write what it gives to a file first.")
    }
  }

  /// A path without links, as far as it is there.
  private static func real(_ path: String) -> String {
    guard let found = realpath(path, nil) else {
      let url = URL(fileURLWithPath: path)
      let folder = url.deletingLastPathComponent().path
      guard let known = realpath(folder, nil) else { return url.standardizedFileURL.path }
      defer { free(known) }
      return String(cString: known) + "/" + url.lastPathComponent
    }
    defer { free(found) }
    return String(cString: found)
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

/// Why a file could not be written or read: what happened, and what to do.
struct FileProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// What the system says of a file, in its own words.
  static func reason(_ error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(cause.code)))
  }
}
