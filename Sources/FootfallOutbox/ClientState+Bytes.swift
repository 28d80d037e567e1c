import FootfallCore
import FootfallJournal

extension ClientState {
  private static let magic = Array("FFSTATE1".utf8)

  private enum Field: UInt8 {
    case deviceID = 1
    case userID
    case sequenceCeiling
    /// A count of 8 bytes, then the reason.
    case unreported
    /// Empty: the app said that there is no device id.
    case noDevice
    case key
    case revision
    /// The start of 8 bytes, then the name: `n` and 8 bytes, or `t` and text.
    case session = 9
    case lastActivity
    /// One byte of flags.
    case sessionFlags
    /// Empty if there is none; without the field nothing is known of the app.
    case appVersion
    case appBuild
  }

  private enum SessionFlag {
    static let isAnnounced: UInt8 = 1
    static let isPaused: UInt8 = 2
    static let wasQuit: UInt8 = 4
  }

  /// A mark, fields of (kind, length, bytes), a checksum.
  package var encoded: [UInt8] {
    var bytes = Self.magic
    func add(_ field: Field, _ content: [UInt8]) {
      bytes.append(field.rawValue)
      bytes.append(counted: content)
    }
    func add(_ field: Field, _ text: String?) {
      if let text { add(field, Array(text.utf8)) }
    }
    if isDeviceKnown, deviceID == nil { add(.noDevice, []) }
    add(.deviceID, deviceID)
    add(.userID, userID)
    add(.key, key)
    add(.sequenceCeiling, Self.number(sequenceCeiling))
    if revision > 0 { add(.revision, Self.number(revision)) }
    if let open = session.session {
      add(.session, Self.number(open.startMilliseconds) + Self.name(open.id))
    }
    if let last = session.lastActivityMilliseconds { add(.lastActivity, Self.number(last)) }
    if session != SessionState() { add(.sessionFlags, [flags]) }
    if let app {
      add(.appVersion, app.version ?? "")
      add(.appBuild, app.build)
    }
    for (reason, count) in unreported.byReason.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      add(.unreported, Self.number(Int64(count)) + Array(reason.rawValue.utf8))
    }
    bytes.append(littleEndian: Self.checksum(bytes[...]))
    return bytes
  }

  /// Reads what `encoded` gave, in this version or another; nil if it is damaged.
  ///
  /// Fields that later versions add are passed over.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= Self.magic.count + 4, bytes.starts(with: Self.magic) else { return nil }
    let end = bytes.count - 4
    var stored: [UInt8] = []
    stored.append(littleEndian: Self.checksum(bytes[..<end]))
    guard stored == Array(bytes[end...]) else { return nil }
    var position = Self.magic.count
    while position + 5 <= end {
      let length = Int(
        clamping: Array(bytes[position + 1..<position + 5] + [0, 0, 0, 0]).word(at: 0)
      )
      let start = position + 5
      guard length <= end - start else { return nil }
      take(Field(rawValue: bytes[position]), Array(bytes[start..<start + length]))
      position = start + length
    }
  }

  private mutating func take(_ field: Field?, _ content: [UInt8]) {
    let text = String(decoding: content, as: UTF8.self)
    switch field {
    case .deviceID where !content.isEmpty:
      deviceID = text
      isDeviceKnown = true
    case .noDevice: isDeviceKnown = true
    case .userID: userID = text
    case .key: key = text
    case .sequenceCeiling: sequenceCeiling = Int64(truncatingIfNeeded: content.word(at: 0))
    case .revision: revision = content.word(at: 0)
    case .session where content.count > 8:
      guard let id = Self.name(content[8...]) else { break }
      let start = Int64(truncatingIfNeeded: content.word(at: 0))
      session.session = OpenSession(id: id, startMilliseconds: start)
    case .lastActivity:
      session.lastActivityMilliseconds = Int64(truncatingIfNeeded: content.word(at: 0))
    case .sessionFlags:
      let flags = content.first ?? SessionFlag.isAnnounced
      session.isAnnounced = flags & SessionFlag.isAnnounced != 0
      session.isPaused = flags & SessionFlag.isPaused != 0
      session.wasQuit = flags & SessionFlag.wasQuit != 0
    case .appVersion: app = AppVersion(version: text.isEmpty ? nil : text, build: app?.build)
    case .appBuild: app = AppVersion(version: app?.version, build: text)
    case .unreported where content.count > 8:
      let reason = DropReason(rawValue: String(decoding: content[8...], as: UTF8.self))
      unreported.count(reason, Int(truncatingIfNeeded: content.word(at: 0)))
    // An empty device id was written before one was made.
    case .deviceID, .session, .unreported, nil: break
    }
  }

  private var flags: UInt8 {
    (session.isAnnounced ? SessionFlag.isAnnounced : 0)
      | (session.isPaused ? SessionFlag.isPaused : 0) | (session.wasQuit ? SessionFlag.wasQuit : 0)
  }

  private static func number(_ number: some FixedWidthInteger) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: number)
    return bytes
  }

  private static func name(_ id: SessionID) -> [UInt8] {
    switch id {
    case .number(let value): [UInt8(ascii: "n")] + number(value)
    case .text(let text): [UInt8(ascii: "t")] + Array(text.utf8)
    }
  }

  private static func name(_ bytes: ArraySlice<UInt8>) -> SessionID? {
    let rest = Array(bytes.dropFirst())
    return switch bytes.first {
    case UInt8(ascii: "n"): .number(Int64(truncatingIfNeeded: rest.word(at: 0)))
    case UInt8(ascii: "t"): .text(String(decoding: rest, as: UTF8.self))
    default: nil
    }
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var checksum = CRC32C()
    bytes.withUnsafeBytes { checksum.update($0) }
    return checksum.value
  }
}
