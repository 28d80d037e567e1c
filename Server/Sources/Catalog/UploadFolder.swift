import Foundation

/// Files that are sent to be imported, piece by piece; each belongs to a project.
///
/// One that is not imported goes after a day, see the server's jobs.
public struct UploadFolder: Sendable {
  /// Bytes of one piece; 16 MiB.
  public static let maxPieceBytes = 16 << 20
  /// Bytes of one file; 16 GiB.
  public static let maxFileBytes = 16 << 30
  /// Files that may be sent and not imported, in one project.
  public static let maxFiles = 20
  /// Bytes that must stay free on the disk; 1 GiB, which events need more.
  public static let minFreeBytes = 1 << 30

  /// The folder; made when it is needed.
  public let path: String
  private let freeBytes: @Sendable (String) -> Int?

  /// The files of a folder.
  public init(_ path: String) {
    self.init(path, freeBytes: Self.free)
  }

  package init(_ path: String, freeBytes: @escaping @Sendable (String) -> Int?) {
    self.path = path
    self.freeBytes = freeBytes
  }

  /// Why a piece was not taken.
  public enum Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// There is no such file.
    case unknown
    /// It has so many bytes, so that the next piece does not begin where this one does.
    case elsewhere(bytes: Int)
    /// Too many files wait to be imported.
    case tooMany
    /// The file would be larger than is taken.
    case tooLarge
    /// The disk has no room for it.
    case diskFull

    /// What happened, and what to do.
    public var description: String {
      switch self {
      case .unknown: "There is no such file; send it from its beginning."
      case .elsewhere(let bytes): "The file has \(bytes) bytes; the next piece begins there."
      case .tooMany:
        "\(UploadFolder.maxFiles) files were sent and not imported; import them, or wait a day."
      case .tooLarge:
        "A file has at most \(UploadFolder.maxFileBytes) bytes; split it, or import it on the server by “footfall import”."
      case .diskFull:
        "The server's disk has no room for the file; free some, or send a smaller one."
      }
    }
  }

  /// Adds a piece to a file of a project, or begins one.
  ///
  /// - Parameters:
  ///   - piece: its bytes.
  ///   - offset: where it belongs; nil for the end.
  ///   - id: the file; nil begins one.
  ///   - project: whose it is.
  /// - Returns: The file's id and how many bytes it has.
  /// - Throws: `Problem`, or what the disk says.
  public func add(
    _ piece: UnsafeRawBufferPointer,
    at offset: Int?,
    of id: String?,
    project: UInt32
  ) throws -> (id: String, bytes: Int) {
    try FileManager.default.createDirectory(
      atPath: path,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    if let free = freeBytes(path), free < Self.minFreeBytes + piece.count {
      throw Problem.diskFull
    }
    let name = try id ?? begin(project)
    guard Self.isID(name), let file = FileHandle(forUpdatingAtPath: self.file(name, of: project))
    else { throw Problem.unknown }
    let bytes = Int(try file.seekToEnd())
    guard offset ?? bytes == bytes else { throw Problem.elsewhere(bytes: bytes) }
    guard bytes + piece.count <= Self.maxFileBytes else { throw Problem.tooLarge }
    try file.write(contentsOf: Data(piece))
    try file.close()
    return (name, bytes + piece.count)
  }

  /// The path of a file that was sent; its id is as `add` gave it.
  public func file(_ id: String, of project: UInt32) -> String { "\(path)/\(project)-\(id)" }

  /// The path of a file that is there; nil for any other id.
  public func existing(_ id: String, of project: UInt32) -> String? {
    let file = file(id, of: project)
    return Self.isID(id) && FileManager.default.fileExists(atPath: file) ? file : nil
  }

  private static func isID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }

  private func begin(_ project: UInt32) throws -> String {
    let prefix = "\(project)-"
    let names = try FileManager.default.contentsOfDirectory(atPath: path)
    guard names.count(where: { $0.hasPrefix(prefix) }) < Self.maxFiles else {
      throw Problem.tooMany
    }
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    let id = String(repeating: "0", count: 16 - digits.count) + digits
    guard
      FileManager.default.createFile(
        atPath: file(id, of: project),
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      )
    else { throw CocoaError(.fileWriteUnknown) }
    return id
  }

  private static func free(_ path: String) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    return Int(clamping: UInt64(status.f_bavail) &* UInt64(status.f_frsize))
  }
}
