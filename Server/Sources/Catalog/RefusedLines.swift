import Foundation

/// The list of an import's lines that are no events, in a file that is made with the first of them.
///
/// Nothing of an event stands there. One thread at a time.
public final class RefusedLines {
  /// Lines that are listed; of more it is said how many.
  public static let maxListed = 100_000
  /// How far ahead of this machine's clock an event may be, in milliseconds: a day, as when it is sent.
  public static let futureMs: Int64 = 86_400_000

  /// Where the list goes.
  public let path: String
  /// How many lines there are.
  public private(set) var count = 0
  private var file: FileHandle?

  /// Where the list of a job goes.
  public static func path(ofJob id: Int64, in folder: String) -> String {
    "\(folder)/\(id).rejected"
  }

  /// A list without lines; a file of an earlier attempt is gone with the first line, or the end.
  public init(_ path: String) { self.path = path }

  /// Adds a line.
  ///
  /// - Parameter line: what is written of it.
  /// - Throws: what the disk says.
  public func add(_ line: String) throws {
    count += 1
    if count > Self.maxListed { return }
    if file == nil {
      guard
        FileManager.default.createFile(
          atPath: path,
          contents: nil,
          attributes: [.posixPermissions: 0o600]
        ), let made = FileHandle(forWritingAtPath: path)
      else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
      file = made
    }
    try file?.write(contentsOf: Data((line + "\n").utf8))
  }

  /// Ends the list.
  ///
  /// - Throws: what the disk says.
  public func close() throws {
    guard let file else {
      if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
      return
    }
    if count > Self.maxListed {
      try file.write(contentsOf: Data("… and \(count - Self.maxListed) more\n".utf8))
    }
    try file.close()
    self.file = nil
  }

  /// Whether there is a list.
  public static func isThere(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// The first lines of a list; none where there is no list.
  ///
  /// - Parameters:
  ///   - count: how many at most.
  ///   - path: the list.
  /// - Returns: the lines, none where it cannot be read.
  public static func first(_ count: Int, of path: String) -> [String] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    do {
      let data = try file.read(upToCount: count * 512) ?? Data()
      try file.close()
      let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
      return lines.prefix(count).map(String.init)
    } catch {
      // A list that cannot be read is shown as none; its count is told anyway.
      return []
    }
  }
}
