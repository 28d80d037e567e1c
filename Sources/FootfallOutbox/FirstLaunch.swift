package import FootfallSystem

/// Tells the first launch after install from all others, by a file that also survives opt-out.
package struct FirstLaunch: Sendable {
  private let path: String
  private let folder: String
  private let files: any FileSystem

  /// The file's name in the client's folder.
  package static let fileName = "launched"

  /// The mark of the client in a folder.
  package init(folder: String, files: any FileSystem) {
    self.folder = folder
    self.files = files
    path = folder + "/" + Self.fileName
  }

  /// Whether an earlier launch left its mark.
  package var hasLaunchedBefore: Bool { files.exists(path) }

  /// Leaves the mark; it holds nothing, and says nothing about anyone.
  package func mark() throws(OutboxError) {
    try onDisk { () throws(SystemError) in
      try files.makeFolder(folder)
      _ = try files.open(path, .append)
      try files.syncFolder(folder)
    }
  }
}
