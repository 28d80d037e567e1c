import FootfallCore
import FootfallJournal
import FootfallSystem
import FootfallTesting
import Testing

@testable import FootfallOutbox

@Suite struct `Client state` {
  static var state: ClientState {
    var state = ClientState()
    state.deviceID = "device-ü"
    state.userID = "user\n1"
    state.sequenceCeiling = 10_041
    state.isDeviceKnown = true
    state.key = "key"
    state.revision = 7
    state.session = SessionState(
      session: OpenSession(id: .text("ü"), startMilliseconds: -5),
      isAnnounced: false,
      isPaused: true,
      lastActivityMilliseconds: 17,
      wasQuit: true
    )
    state.unreported.count(.tooLarge, 3)
    state.unreported.count(.textCut, 1)
    return state
  }

  @Test func `what was saved is loaded`() throws {
    let files = MemoryFiles()
    #expect(try ClientState.load(from: "/a/b", files: files) == nil)
    try Self.state.save(to: "/a/b", files: files)
    files.losePower()
    #expect(try ClientState.load(from: "/a/b", files: files) == Self.state)
    var signedOut = Self.state
    signedOut.userID = nil
    try signedOut.save(to: "/a/b", files: files)
    #expect(try ClientState.load(from: "/a/b", files: files) == signedOut)
  }

  @Test func `every flipped bit and every cut is noticed`() throws {
    let bytes = Self.state.encoded
    for position in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << bit
        #expect(ClientState(damaged) == nil)
      }
      #expect(ClientState(Array(bytes[..<position])) == nil)
    }
  }

  @Test func `a device that the app refused is told from one that was never made`() {
    var state = ClientState()
    #expect(ClientState(state.encoded)?.isDeviceKnown == false)
    state.isDeviceKnown = true
    #expect(ClientState(state.encoded) == state)
    #expect(ClientState(state.encoded)?.deviceID == nil)
  }

  @Test(arguments: [SessionID.number(-1), .number(1_700_000_000_000), .text("2024-01"), .text("")])
  func `a session is kept under its name`(id: SessionID) {
    var state = ClientState()
    state.session.session = OpenSession(id: id, startMilliseconds: 9)
    #expect(ClientState(state.encoded) == state)
  }

  /// Bytes as version 1 wrote them, with a field of some later version in between.
  @Test func `an older file is read, and what it does not know is passed over`() throws {
    func file(_ device: String) -> [UInt8] {
      var bytes = Array("FFSTATE1".utf8)
      for (kind, content) in [(UInt8(1), Array(device.utf8)), (200, [1, 2]), (2, Array("u".utf8))] {
        bytes.append(kind)
        bytes.append(counted: content)
      }
      var checksum = CRC32C()
      bytes.withUnsafeBytes { checksum.update($0) }
      bytes.append(littleEndian: checksum.value)
      return bytes
    }
    let old = try #require(ClientState(file("d")))
    #expect(old.deviceID == "d" && old.isDeviceKnown && old.userID == "u")
    #expect(old.session == SessionState() && old.revision == 0)
    let early = try #require(ClientState(file("")))
    #expect(early.deviceID == nil && !early.isDeviceKnown)
  }

  @Test func `the mark of the first launch stays`() throws {
    let files = MemoryFiles()
    let launch = FirstLaunch(folder: "/a/b", files: files)
    #expect(!launch.hasLaunchedBefore)
    try launch.mark()
    try launch.mark()
    files.losePower()
    #expect(launch.hasLaunchedBefore)
  }
}
