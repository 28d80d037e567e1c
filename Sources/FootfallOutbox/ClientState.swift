package import FootfallCore
package import FootfallSystem

/// What a client remembers from run to run: in one small file, and as the note of records.
package struct ClientState: Sendable, Equatable {
  /// The device's id; nil if none was made yet, or if the app said that there is none.
  package var deviceID: String?
  /// Whether the device was decided on; only before that an id is to be made.
  package var isDeviceKnown = false
  /// The signed-in user.
  package var userID: String?
  /// The project's key that device and user belong to, for clients bound to one.
  package var key: String?
  /// The sessions.
  package var session = SessionState()
  /// The version of the app that ran last; nil if none is known.
  package var app: AppVersion?
  /// Every sequence number below this may have been used.
  package var sequenceCeiling: Int64 = 1
  /// Losses that no server has heard of yet.
  package var unreported = DropCounts()
  /// Grows with every change; of two states the one with the higher number is the newer.
  package var revision: UInt64 = 0

  /// A state that remembers nothing.
  package init() {}

  /// The name of the file in the client's folder.
  package static let fileName = "client.state"

  /// Reads the state of a folder; nil if there is none or it is damaged.
  package static func load(
    from folder: String,
    files: any FileSystem
  ) throws(OutboxError) -> ClientState? {
    let path = folder + "/" + fileName
    guard files.exists(path) else { return nil }
    let bytes = try onDisk { () throws(SystemError) in try files.readAll(path) }
    return ClientState(bytes)
  }

  /// Replaces the state of a folder in one step that survives a power cut.
  package func save(to folder: String, files: any FileSystem) throws(OutboxError) {
    try onDisk { () throws(SystemError) in
      try files.makeFolder(folder)
      try files.replace(folder + "/" + Self.fileName, with: encoded)
    }
  }
}
