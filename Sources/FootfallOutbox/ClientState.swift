package import FootfallCore
import FootfallJournal
package import FootfallSystem

/// What a client remembers from run to run, in one small file.
package struct ClientState: Sendable, Hashable {
  /// The device's id; empty only before one was made.
  package var deviceID = ""
  /// The signed-in user.
  package var userID: String?
  /// Every sequence number below this may have been used.
  package var sequenceCeiling: Int64 = 1
  /// Losses that no server has heard of yet.
  package var unreported = DropCounts()

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
      try files.replace(folder + "/" + Self.fileName, with: bytes)
    }
  }
}

extension ClientState {
  private static let magic = Array("FFSTATE1".utf8)

  private enum Field: UInt8 {
    case deviceID = 1
    case userID
    case sequenceCeiling
    /// A count of 8 bytes, then the reason.
    case unreported
  }

  /// The file: a mark, fields of (kind, length, bytes), a checksum.
  var bytes: [UInt8] {
    var bytes = Self.magic
    func field(_ field: Field, _ content: [UInt8]) {
      bytes.append(field.rawValue)
      bytes.append(littleEndian: UInt32(clamping: content.count))
      bytes += content
    }
    field(.deviceID, Array(deviceID.utf8))
    if let userID { field(.userID, Array(userID.utf8)) }
    var ceiling: [UInt8] = []
    ceiling.append(littleEndian: sequenceCeiling)
    field(.sequenceCeiling, ceiling)
    for (reason, count) in unreported.byReason.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      var content: [UInt8] = []
      content.append(littleEndian: Int64(count))
      field(.unreported, content + Array(reason.rawValue.utf8))
    }
    bytes.append(littleEndian: Self.checksum(bytes[...]))
    return bytes
  }

  /// Reads a file; fields of a later version are passed over.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.magic.count + 4, bytes.starts(with: Self.magic) else { return nil }
    let end = bytes.count - 4
    var stored: [UInt8] = []
    stored.append(littleEndian: Self.checksum(bytes[..<end]))
    guard stored == Array(bytes[end...]) else { return nil }
    var position = Self.magic.count
    while position + 5 <= end {
      let length = Int(Array(bytes[position + 1..<position + 5] + [0, 0, 0, 0]).word(at: 0))
      let start = position + 5
      guard start + length <= end else { return nil }
      take(Field(rawValue: bytes[position]), Array(bytes[start..<start + length]))
      position = start + length
    }
  }

  private mutating func take(_ field: Field?, _ content: [UInt8]) {
    switch field {
    case .deviceID: deviceID = String(decoding: content, as: UTF8.self)
    case .userID: userID = String(decoding: content, as: UTF8.self)
    case .sequenceCeiling: sequenceCeiling = Int64(truncatingIfNeeded: content.word(at: 0))
    case .unreported where content.count > 8:
      let reason = DropReason(rawValue: String(decoding: content[8...], as: UTF8.self))
      unreported.count(reason, Int(truncatingIfNeeded: content.word(at: 0)))
    case .unreported, nil: break
    }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    bytes.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }
}
