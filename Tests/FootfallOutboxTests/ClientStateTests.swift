import FootfallCore
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
    let bytes = Self.state.bytes
    for position in bytes.indices {
      for bit in 0..<8 {
        var damaged = bytes
        damaged[position] ^= 1 << bit
        #expect(ClientState(damaged) == nil)
      }
      #expect(ClientState(Array(bytes[..<position])) == nil)
    }
  }
}
