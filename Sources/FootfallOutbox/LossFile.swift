package import FootfallCore
package import FootfallSystem

/// The losses that a server has not heard of yet, in a small file of its destination's folder.
///
/// For destinations besides the client's own, whose losses are in the client's state.
package struct LossFile: Sendable {
  private let path: String
  private let files: any FileSystem

  /// The file's name.
  package static let fileName = "losses"

  /// The file of a destination's folder.
  package init(folder: String, files: any FileSystem) {
    path = folder + "/" + Self.fileName
    self.files = files
  }

  /// What is in it; none if there is no file or it is damaged.
  package func load() throws(OutboxError) -> DropCounts {
    guard files.exists(path) else { return DropCounts() }
    let bytes = try onDisk { () throws(SystemError) in try files.readAll(path) }
    return ClientState(bytes)?.unreported ?? DropCounts()
  }

  /// Replaces what is in it in one step that survives a power cut.
  package func save(_ losses: DropCounts) throws(OutboxError) {
    var state = ClientState()
    state.unreported = losses
    let bytes = state.encoded
    try onDisk { () throws(SystemError) in try files.replace(path, with: bytes) }
  }
}
