import Foundation

/// Where the server keeps files that were asked for, or sent to be imported.
public struct APIFiles: Sendable {
  /// The folder of exports, each named by its job's number and its form.
  public let exports: String
  /// The folder of what was sent; made when it is needed.
  public let uploads: String
  /// The folder of copies of all data.
  public let backups: String

  /// Bytes of one piece of a file that is sent; 16 MiB.
  static let maxPieceBytes = 16 << 20
  /// Files that may be sent and not imported, in one project.
  static let maxUploads = 20

  /// The folders.
  public init(exports: String, uploads: String, backups: String) {
    self.exports = exports
    self.uploads = uploads
    self.backups = backups
  }

  /// Why a piece was not taken.
  enum Problem: Error {
    /// There is no such file.
    case unknown
    /// It has so many bytes, so that the next piece does not begin where this one does.
    case elsewhere(bytes: Int)
    /// Too many files wait to be imported.
    case tooMany
  }

  /// Adds a piece to a file of a project, or begins one.
  ///
  /// - Returns: The file's id and how many bytes it has.
  func add(
    _ piece: UnsafeRawBufferPointer,
    at offset: Int?,
    of id: String?,
    project: UInt32
  ) throws -> (id: String, bytes: Int) {
    try FileManager.default.createDirectory(
      atPath: uploads,
      withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700]
    )
    let name = try id ?? begin(project)
    let path = upload(name, project: project)
    guard let file = FileHandle(forUpdatingAtPath: path) else { throw Problem.unknown }
    let bytes = Int(try file.seekToEnd())
    guard offset ?? bytes == bytes else { throw Problem.elsewhere(bytes: bytes) }
    try file.write(contentsOf: Data(piece))
    try file.close()
    return (name, bytes + piece.count)
  }

  /// The path of a file that was sent; its id is as `add` gave it.
  func upload(_ id: String, project: UInt32) -> String { "\(uploads)/\(project)-\(id)" }

  private func begin(_ project: UInt32) throws -> String {
    let prefix = "\(project)-"
    let names = try FileManager.default.contentsOfDirectory(atPath: uploads)
    guard names.count(where: { $0.hasPrefix(prefix) }) < Self.maxUploads else {
      throw Problem.tooMany
    }
    let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
    let id = String(repeating: "0", count: 16 - digits.count) + digits
    guard
      FileManager.default.createFile(
        atPath: upload(id, project: project),
        contents: nil,
        attributes: [.posixPermissions: 0o600]
      )
    else { throw CocoaError(.fileWriteUnknown) }
    return id
  }
}
