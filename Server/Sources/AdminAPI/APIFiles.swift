public import Catalog

/// Where the server keeps files that were asked for, or sent to be imported.
public struct APIFiles: Sendable {
  /// The folder of exports, each named by its job's number and its form.
  public let exports: String
  /// What was sent.
  public let uploads: UploadFolder
  /// The folder of copies of all data.
  public let backups: String

  /// The folders.
  public init(exports: String, uploads: UploadFolder, backups: String) {
    self.exports = exports
    self.uploads = uploads
    self.backups = backups
  }
}
